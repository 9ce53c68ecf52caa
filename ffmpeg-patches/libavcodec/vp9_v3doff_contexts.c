/*
 * VP9: contexts of is_inter, comp_mode and references, in frames that libv3doff reconstructs
 *
 * This file is part of FFmpeg.
 *
 * FFmpeg is free software; you can redistribute it and/or
 * modify it under the terms of the GNU Lesser General Public
 * License as published by the Free Software Foundation; either
 * version 2.1 of the License, or (at your option) any later version.
 *
 * FFmpeg is distributed in the hope that it will be useful,
 * but WITHOUT ANY WARRANTY; without even the implied warranty of
 * MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the GNU
 * Lesser General Public License for more details.
 *
 * You should have received a copy of the GNU Lesser General Public
 * License along with FFmpeg; if not, write to the Free Software
 * Foundation, Inc., 51 Franklin Street, Fifth Floor, Boston, MA 02110-1301 USA
 */

#include "vp9dec.h"
#include "vp9_v3doff_internal.h"

/*
 * The contexts (9.3) depend on the frame's header and on the blocks above and on the left. Of those only the
 * kind matters, so a table for the frame has them for each two kinds (vp9_v3doff_internal.h). Their order
 * does not matter.
 */

typedef struct Neighbour {
    int there, intra, compound;
    int reference; // of compound prediction the variable one; -1: none
} Neighbour;

static Neighbour neighbour(int kind)
{
    const int compound  = kind >= V3DOFF_COMPOUND;
    const int reference = kind - (compound ? V3DOFF_COMPOUND : V3DOFF_SINGLE);
    const Neighbour n   = { kind != V3DOFF_NOTHING, kind == V3DOFF_INTRA, compound,
                            kind >= V3DOFF_SINGLE ? reference : -1 };

    return n;
}

/* Of is_inter. */
static int intra_context(Neighbour a, Neighbour b)
{
    if (!a.there || !b.there)
        return 2 * (a.intra || b.intra);
    return a.intra && b.intra ? 3 : a.intra || b.intra;
}

/* Of comp_mode. */
static int compound_context(const VP9BitstreamHeader *h, Neighbour a, Neighbour b)
{
    const int fixed_a = a.reference == h->fixcompref, fixed_b = b.reference == h->fixcompref;

    if (!a.there && !b.there)
        return 1;
    if (!a.there || !b.there)
        return a.compound || b.compound ? 3 : fixed_a || fixed_b;
    if (a.compound && b.compound)
        return 4;
    if (a.compound)
        return 2 + (b.intra || fixed_b);
    if (b.compound)
        return 2 + (a.intra || fixed_a);
    return fixed_a ^ fixed_b;
}

/* Of comp_ref. */
static int compound_reference_context(const VP9BitstreamHeader *h, Neighbour a, Neighbour b)
{
    const int second = h->varcompref[1], first = h->varcompref[0], fixed = h->fixcompref;

    if (!a.there || (a.intra && b.there))
        FFSWAP(Neighbour, a, b);
    if (!a.there || a.intra)
        return 2; // none is an inter block
    if (!b.there)
        return (a.compound ? 4 : 3) * (a.reference != second);
    if (b.intra)
        return 1 + 2 * (a.reference != second);
    if (a.reference == second && b.reference == second)
        return 0;
    if (a.compound && b.compound)
        return a.reference == b.reference ? 4 : 2;
    if (!a.compound && !b.compound) {
        if ((a.reference == fixed && b.reference == first) ||
            (b.reference == fixed && a.reference == first))
            return 4;
        return a.reference == b.reference ? 3 : 1;
    }
    if (b.compound)
        FFSWAP(Neighbour, a, b);
    return a.reference == second ? 1 : b.reference == second ? 2 : 4;
}

/* Of single_ref_p1: whether a single reference is not the last frame. */
static int single_reference_context(const VP9BitstreamHeader *h, Neighbour a, Neighbour b)
{
    const int last_a = !h->fixcompref || !a.reference, last_b = !h->fixcompref || !b.reference;

    if (!a.there || a.intra)
        FFSWAP(Neighbour, a, b);
    if (!a.there || a.intra)
        return 2;
    if (!b.there || b.intra)
        return a.compound ? 1 + (!h->fixcompref || !a.reference) : 4 * !a.reference;
    if (a.compound && b.compound)
        return 1 + (last_a || last_b);
    if (a.compound)
        return 3 * !b.reference + last_a;
    if (b.compound)
        return 3 * !a.reference + last_b;
    return 2 * !a.reference + 2 * !b.reference;
}

/* Of single_ref_p2: whether such a reference is not the golden frame. */
static int second_reference_context(const VP9BitstreamHeader *h, Neighbour a, Neighbour b)
{
    int golden_a, golden_b;

    if (!a.there || (a.intra && b.there))
        FFSWAP(Neighbour, a, b);
    golden_a = h->fixcompref == 1 || a.reference == 1;
    golden_b = h->fixcompref == 1 || b.reference == 1;
    if (!a.there || a.intra)
        return 2;
    if (!b.there)
        return a.compound ? 3 * golden_a : !a.reference ? 2 : 4 * (a.reference == 1);
    if (b.intra)
        return a.compound ? 1 + 2 * golden_a : !a.reference ? 3 : 4 * (a.reference == 1);
    if (a.compound && b.compound)
        return a.reference == b.reference ? 3 * golden_a : 2;
    if (a.compound || b.compound) {
        if (b.compound) {
            FFSWAP(Neighbour, a, b);
            golden_a = golden_b;
        }
        return !b.reference ? 1 + 2 * golden_a : 3 * (b.reference == 1) + golden_a;
    }
    if (!a.reference && !b.reference)
        return 3;
    if (!a.reference || !b.reference)
        return 4 * (a.reference == 1 || b.reference == 1);
    return 2 * (a.reference == 1) + 2 * (b.reference == 1);
}

void ff_vp9_v3doff_contexts_start(VP9Context *s)
{
    const VP9BitstreamHeader *h = &s->s.h;

    for (int i = 0; i <= V3DOFF_COMPOUND + 2; i++)
        for (int j = 0; j <= V3DOFF_COMPOUND + 2; j++) {
            const Neighbour a = neighbour(i), b = neighbour(j);
            V3DoffVP9Contexts *contexts = &s->v3doff_contexts[i][j];

            contexts->intra              = intra_context(a, b);
            contexts->compound           = compound_context(h, a, b);
            contexts->compound_reference = compound_reference_context(h, a, b);
            contexts->single_reference   = single_reference_context(h, a, b);
            contexts->second_reference   = second_reference_context(h, a, b);
        }
}
