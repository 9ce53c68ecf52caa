# SPDX-License-Identifier: BSD-2-Clause
"""The table of shader statistics: its file, its rules, and how a measurement is compared with it."""

from pathlib import Path

COLUMNS = ("name", "instructions", "threads", "loops", "uniforms", "max_temps", "spills", "fills",
           "scratch", "tmu", "nops", "stalls", "local_size")
TEXT_COLUMNS = ("name", "local_size")

MAX_INVOCATIONS = 256  # of a workgroup on V3D 7.1
GROWTH_PERCENT = 2     # how much instructions and accesses may grow without an update of the table
GROWING = {"instructions": "instructions", "tmu": "memory accesses"}


class TableError(Exception):
    """The table file is not as write_table writes it."""


def row_of(record):
    """A row of the table from one line of v3d71-shaderstat."""
    row = {column: record[column] for column in COLUMNS}
    row["local_size"] = "x".join(str(n) for n in record["local_size"])
    return row


def write_table(path, rows):
    lines = ["\t".join(COLUMNS)]
    lines += ["\t".join(str(rows[name][column]) for column in COLUMNS) for name in sorted(rows)]
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_table(path):
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    if not lines or tuple(lines[0].split("\t")) != COLUMNS:
        raise TableError(f"{path}:1: not the header of this table")
    rows = {}
    for number, line in enumerate(lines[1:], 2):
        fields = line.split("\t")
        if len(fields) != len(COLUMNS):
            raise TableError(f"{path}:{number}: {len(fields)} fields, not {len(COLUMNS)}")
        row = dict(zip(COLUMNS, fields))
        try:
            row.update({c: int(row[c]) for c in COLUMNS if c not in TEXT_COLUMNS})
        except ValueError as error:
            raise TableError(f"{path}:{number}: {error}") from error
        if rows and row["name"] <= max(rows):
            raise TableError(f"{path}:{number}: {row['name']} is repeated or out of order")
        rows[row["name"]] = row
    return rows


def invocations(row):
    count = 1
    for n in row["local_size"].split("x"):
        count *= int(n)
    return count


def faults_of(row):
    """Faults whatever the table says: registers or arrays in memory, a workgroup that does not fit."""
    faults = []
    name = row["name"]
    for column in ("spills", "fills"):
        if row[column]:
            faults.append(f"{name}: {row[column]} {column}")
    if row["scratch"]:
        faults.append(f"{name}: {row['scratch']} bytes of scratch memory")
    if invocations(row) > MAX_INVOCATIONS:
        faults.append(f"{name}: workgroup {row['local_size']} has over {MAX_INVOCATIONS} lanes")
    return faults


def grown(new, old):
    return new * 100 > old * (100 + GROWTH_PERCENT)


def compare(measured, table, complete=True):
    """The reasons to fail, one string each. complete: `measured` has all shaders, so one that is only in
    the table no longer exists."""
    faults = []
    for name in sorted(measured):
        row = measured[name]
        faults += faults_of(row)
        if name not in table:
            faults.append(f"{name}: not in the table (run with --update)")
            continue
        old = table[name]
        for column, words in GROWING.items():
            if grown(row[column], old[column]):
                faults.append(f"{name}: {words} grew from {old[column]} to {row[column]}, "
                              f"more than {GROWTH_PERCENT} %")
        if row["threads"] < old["threads"]:
            faults.append(f"{name}: threads fell from {old['threads']} to {row['threads']}")
    if complete:
        faults += [f"{name}: in the table, but there is no such shader (run with --update)"
                   for name in sorted(set(table) - set(measured))]
    return faults


def differences(measured, table):
    """Every figure that differs from the table, whether or not this is a fault."""
    return [f"{name}: {column} {table[name][column]} -> {measured[name][column]}"
            for name in sorted(set(measured) & set(table))
            for column in COLUMNS if measured[name][column] != table[name][column]]


def text(rows):
    """The rows as aligned columns."""
    lines = [COLUMNS] + [[str(row[column]) for column in COLUMNS] for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(COLUMNS))]
    return "\n".join("  ".join(field.ljust(width) if column in TEXT_COLUMNS else field.rjust(width)
                               for field, width, column in zip(line, widths, COLUMNS)).rstrip()
                     for line in lines)
