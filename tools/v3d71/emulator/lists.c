/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Control lists of the renderer, of which the driver makes copies and fills of buffers: a picture whose
 * tiles are loaded, or cleared, and stored in rows. So all tiles together are one copy, or one fill.
 */
#include "emulator.h"
#include "model.h"

#include <string.h>

#define __gen_user_data void
#define __gen_address_type uint32_t
#define __gen_address_offset(address) (*(address))
#define __gen_emit_reloc(data, address)
#define __gen_unpack_address(cl, s, e) ((uint32_t)__gen_unpack_uint(cl, s, e) << (31 - ((e) - (s))))
#define V3D_VERSION 71
#include "broadcom/cle/v3d_packet_v71_pack.h"

struct picture {
        uint32_t width, height;
        uint32_t clear_color;
        bool loads, stores;
        struct V3D71_LOAD_TILE_BUFFER_GENERAL load;
        struct V3D71_STORE_TILE_BUFFER_GENERAL store;
};

static uint32_t
bytes_of(enum V3D71_Output_Image_Format format)
{
        switch (format) {
        case V3D_OUTPUT_IMAGE_FORMAT_RGBA8UI: return 4;
        case V3D_OUTPUT_IMAGE_FORMAT_RG8UI: return 2;
        case V3D_OUTPUT_IMAGE_FORMAT_R8UI: return 1;
        default: emu_stop("a control list has pictures of format %d", format);
        }
}

/* Every supertile executes the same list of tiles, so once is enough. */
static void
execute(const struct picture *picture)
{
        if (!picture->stores) /* the job that does nothing, of a submit without commands */
                return;
        const uint32_t sample = bytes_of(picture->store.output_image_format), stride = sample * picture->width;
        const uint32_t size = stride * picture->height;
        uint8_t *to = emu_write(picture->store.address, size, "a store of tiles");

        if (!emu_backward())
                emu_time_of_copy(picture->loads ? size : 0, size);
        if (picture->store.memory_format != V3D_MEMORY_FORMAT_RASTER || picture->store.height_in_ub_or_stride != stride)
                emu_stop("a control list stores tiles that are no rows of a buffer");
        if (!picture->loads) {
                if (sample != 4)
                        emu_stop("a control list fills samples of %u bytes", sample);
                for (uint32_t i = 0; i < size; i += 4) {
                        emu_order_list_stores(picture->store.address + i, to + i, &picture->clear_color, 4);
                        memcpy(to + i, &picture->clear_color, 4);
                }
                return;
        }
        if (picture->load.memory_format != V3D_MEMORY_FORMAT_RASTER || picture->load.height_in_ub_or_stride != stride ||
            bytes_of(picture->load.input_image_format) != sample)
                emu_stop("a control list loads other tiles than it stores");
        const uint8_t *from = emu_read(picture->load.address, size, "a load of tiles");
        emu_order_list_stores(picture->store.address, to, from, size);
        memmove(to, from, size);
}

static uint32_t
tile_rendering_mode(struct picture *picture, const uint8_t *at)
{
        struct V3D71_TILE_RENDERING_MODE_CFG_COMMON common;
        struct V3D71_TILE_RENDERING_MODE_CFG_RENDER_TARGET_PART1 target;

        V3D71_TILE_RENDERING_MODE_CFG_COMMON_unpack(at, &common);
        V3D71_TILE_RENDERING_MODE_CFG_RENDER_TARGET_PART1_unpack(at, &target);
        if (common.sub_id == 0) {
                picture->width = common.image_width_pixels;
                picture->height = common.image_height_pixels;
                if (common.number_of_render_targets != 1 || common.multisample_mode_4x)
                        emu_stop("a control list renders more than a copy");
        } else if (target.sub_id == 2) {
                picture->clear_color = target.clear_color_low_bits;
        }
        return V3D71_TILE_RENDERING_MODE_CFG_COMMON_length;
}

static void
tile_list(struct picture *picture, uint32_t at)
{
        for (;;) {
                const uint8_t *packet = emu_read(at, 1, "a control list");
                switch (packet[0]) {
                case V3D71_TILE_COORDINATES_IMPLICIT_opcode: at += V3D71_TILE_COORDINATES_IMPLICIT_length; break;
                case V3D71_END_OF_LOADS_opcode: at += V3D71_END_OF_LOADS_length; break;
                case V3D71_BRANCH_TO_IMPLICIT_TILE_LIST_opcode: at += V3D71_BRANCH_TO_IMPLICIT_TILE_LIST_length; break;
                case V3D71_END_OF_TILE_MARKER_opcode: at += V3D71_END_OF_TILE_MARKER_length; break;
                case V3D71_LOAD_TILE_BUFFER_GENERAL_opcode:
                        V3D71_LOAD_TILE_BUFFER_GENERAL_unpack(packet, &picture->load);
                        picture->loads = true;
                        at += V3D71_LOAD_TILE_BUFFER_GENERAL_length;
                        break;
                case V3D71_STORE_TILE_BUFFER_GENERAL_opcode:
                        V3D71_STORE_TILE_BUFFER_GENERAL_unpack(packet, &picture->store);
                        picture->stores = picture->store.buffer_to_store != NONE;
                        at += V3D71_STORE_TILE_BUFFER_GENERAL_length;
                        break;
                case V3D71_RETURN_FROM_SUB_LIST_opcode: return;
                default: emu_stop("packet %u of a list of tiles is not known", packet[0]);
                }
        }
}

void
emu_list(const struct emu_job *job)
{
        struct picture picture = { 0 };
        uint32_t at = job->start, tiles = 0;
        struct V3D71_START_ADDRESS_OF_GENERIC_TILE_LIST start;
        struct V3D71_BRANCH branch;

        for (;;) {
                const uint8_t *packet = emu_read(at, 1, "a control list");
                switch (packet[0]) {
                case V3D71_TILE_RENDERING_MODE_CFG_COMMON_opcode: at += tile_rendering_mode(&picture, packet); break;
                case V3D71_TILE_LIST_INITIAL_BLOCK_SIZE_opcode: at += V3D71_TILE_LIST_INITIAL_BLOCK_SIZE_length; break;
                case V3D71_MULTICORE_RENDERING_TILE_LIST_SET_BASE_opcode:
                        at += V3D71_MULTICORE_RENDERING_TILE_LIST_SET_BASE_length;
                        break;
                case V3D71_MULTICORE_RENDERING_SUPERTILE_CFG_opcode:
                        at += V3D71_MULTICORE_RENDERING_SUPERTILE_CFG_length;
                        break;
                case V3D71_TILE_COORDINATES_opcode: at += V3D71_TILE_COORDINATES_length; break;
                case V3D71_END_OF_LOADS_opcode: at += V3D71_END_OF_LOADS_length; break;
                case V3D71_STORE_TILE_BUFFER_GENERAL_opcode: at += V3D71_STORE_TILE_BUFFER_GENERAL_length; break;
                case V3D71_CLEAR_RENDER_TARGETS_opcode: at += V3D71_CLEAR_RENDER_TARGETS_length; break;
                case V3D71_END_OF_TILE_MARKER_opcode: at += V3D71_END_OF_TILE_MARKER_length; break;
                case V3D71_FLUSH_VCD_CACHE_opcode: at += V3D71_FLUSH_VCD_CACHE_length; break;
                case V3D71_START_ADDRESS_OF_GENERIC_TILE_LIST_opcode:
                        V3D71_START_ADDRESS_OF_GENERIC_TILE_LIST_unpack(packet, &start);
                        tiles = start.start;
                        at += V3D71_START_ADDRESS_OF_GENERIC_TILE_LIST_length;
                        break;
                case V3D71_SUPERTILE_COORDINATES_opcode: at += V3D71_SUPERTILE_COORDINATES_length; break;
                case V3D71_BRANCH_opcode:
                        V3D71_BRANCH_unpack(packet, &branch);
                        at = branch.address;
                        break;
                case V3D71_END_OF_RENDERING_opcode:
                        if (!tiles)
                                emu_stop("a control list has no tiles");
                        tile_list(&picture, tiles);
                        execute(&picture);
                        return;
                default: emu_stop("packet %u of a control list is not known", packet[0]);
                }
        }
}
