# SPDX-License-Identifier: BSD-2-Clause
"""The order in which the library processes the superblocks of a VP9 picture that have intra blocks. It is
the order of libv3doff/vp9/intra_order.cpp, computed from the same numbers."""

import collections

CORNER = {4, 5, 6, 9}  # modes that read left, above and above left
LEFT = CORNER | {1, 2, 8}
ABOVE = CORNER | {0, 2, 3, 7}

BLOCK_COST, EDGE_COST, WORD_COST, DISPATCH_COST = 120, 70, 345, 13200
LANES = 32  # invocations of a workgroup


def block_cost(edge, lanes):
    """Instructions of a block for this number of invocations: in any case, and for the neighbouring
    samples that they read and the words that they write."""
    beside, words = edge + max(edge, 8) + 1, edge * edge // 4
    return BLOCK_COST, -(-beside // lanes) * EDGE_COST + -(-words // lanes) * WORD_COST


class Border:
    """Where intra blocks touch a superblock's border, and what they read, in units of 8 luma samples."""

    def __init__(self):
        self.right, self.bottom, self.left, self.above = set(), set(), set(), set()
        self.corner = False
        self.chain = 0

    def add_block(self, row, col, rows, cols, modes, tile_begins):
        down, across = range(row, row + rows), range(col, col + cols)
        beside, below = col == 0 and not tile_begins, row == 0
        if col + cols == 8:
            self.right.update(down)
        if row + rows == 8:
            self.bottom.update(across)
        if beside and modes & LEFT:
            self.left.update(down)
        if below and modes & ABOVE:
            self.above.update(across)
        if modes & CORNER:
            if beside:
                self.left.update(y - 1 for y in down if y)
            if below:
                self.above.update(x - 1 for x in across if x)
            self.corner |= beside and below

    def add_cost(self, edge, count):
        self.chain += count * sum(block_cost(edge, LANES))


def reads(borders, at):
    """The superblocks whose intra blocks are read by the one at (row, column)."""
    row, col = at
    border = borders[at]
    for other, needed in (((row, col - 1), lambda b: border.left & b.right),
                          ((row - 1, col), lambda b: border.above & b.bottom),
                          ((row - 1, col - 1), lambda b: border.corner and 7 in b.right)):
        if other in borders and needed(borders[other]):
            yield other


class Dispatch:
    def __init__(self):
        self.levels = []
        self.parent, self.chain = {}, {}
        self.longest = 0

    def root(self, at):
        while self.parent[at] != at:
            at = self.parent[at]
        return at

    def add(self, members, borders):
        self.levels.append(members)
        for at in members:
            self.parent[at], self.chain[at] = at, borders[at].chain
            for other in reads(borders, at):
                if other not in self.parent:
                    continue
                root, own = self.root(other), self.root(at)
                if root != own:
                    self.parent[own] = root
                    self.chain[root] += self.chain[own]
            self.longest = max(self.longest, self.chain[self.root(at)])

    def groups(self):
        found = collections.defaultdict(list)
        for members in self.levels:
            for at in members:
                found[self.root(at)].append(at)
        return list(found.values())


def dispatch_of(levels, borders):
    dispatch = Dispatch()
    for members in levels:
        dispatch.add(members, borders)
    return dispatch


def order(borders):
    """Dispatches, each a list of groups of superblocks."""
    level, levels = {}, []
    for at in sorted(borders):
        level[at] = 1 + max((level[other] for other in reads(borders, at)), default=0)
        while len(levels) < level[at]:
            levels.append([])
        levels[level[at] - 1].append(at)
    found = []
    for members in levels:
        if found:
            alone = max(borders[at].chain for at in members)
            together = dispatch_of(found[-1].levels + [members], borders)
            if together.longest <= found[-1].longest + DISPATCH_COST + alone:
                found[-1] = together
                continue
        found.append(dispatch_of([members], borders))
    return [dispatch.groups() for dispatch in found]
