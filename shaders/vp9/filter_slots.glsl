// SPDX-License-Identifier: BSD-2-Clause
// The cut passes' places in the scratch buffer. Each superblock but the last of a row has a slot in
// each plane for its strip, its last 8 columns: 8 rows for the last rows of the strip above, once the
// edge between columns on their right has been filtered; then the strip's own rows. A row is one unit
// of load_columns and two units of load_rows.

uint strip_rows(Plane plane) { return 64u >> plane.shift_y; }

// Unit of the strip's first own row.
uint slot_of(uint number, Plane plane, uint row, uint col) {
    uint slots = push.rows * (push.cols - 1u), slot = row * (push.cols - 1u) + col;
    uint luma = number == 0 ? 0u : slots * 72u;
    return luma + ((number == 2 ? slots : 0u) + slot) * (8u + strip_rows(plane)) + 8u;
}
