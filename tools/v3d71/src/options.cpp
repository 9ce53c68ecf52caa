// SPDX-License-Identifier: BSD-2-Clause
#include "options.hpp"

#include <cstdio>
#include <stdexcept>

namespace v3doff::v3d71 {

const char usage_text[] =
    "usage: v3d71-shaderstat [OPTIONS] FILE.spv...\n"
    "Compile statistics of SPIR-V compute shaders on V3D 7.1, one JSON object a line.\n"
    "  --info           print which device and driver it is\n"
    "  --qpu, --nir     print the final assembly, the intermediate representation after the line\n"
    "  --robust         with robustBufferAccess (costs instructions)\n"
    "  --spec ID=VALUE  a specialisation constant; may be repeated\n"
    "  --dispatch XxYxZ also submit that dispatch, on buffers of 1 MiB, and wait for it\n"
    "  --again barrier  and dispatch it again behind a barrier, with 2 for push constants instead "
    "of 1\n"
    "  --again nothing  the same without a barrier\n"
    "  --device N       use this Vulkan device, default 0\n"
    "  --verbose        show what Mesa writes to stderr (V3D_DEBUG=nir,vir,qpu,...)\n"
    "Exit status: 0, 1 (a shader failed), 2 (usage, no device), 3 (the device is not v3dv).\n";

Options parse_options(int argc, char **argv) {
    Options o;
    for (int i = 1; i < argc; i++) {
        const std::string option = argv[i];
        if (option.compare(0, 2, "--") != 0) {
            o.files.push_back(option);
            continue;
        }
        const auto value = [&]() -> const char * {
            if (++i >= argc) throw std::invalid_argument(option + " needs a value");
            return argv[i];
        };
        int used = 0;
        const auto whole = [&](const char *text, bool matched) {
            if (!matched || text[used]) throw std::invalid_argument(option + ": bad " + text);
        };
        if (option == "--help")
            o.help = true;
        else if (option == "--info")
            o.info = true;
        else if (option == "--qpu")
            o.qpu = true;
        else if (option == "--nir")
            o.nir = true;
        else if (option == "--robust")
            o.robust = true;
        else if (option == "--verbose")
            o.verbose = true;
        else if (option == "--device") {
            const char *text = value();
            whole(text, sscanf(text, "%u%n", &o.device, &used) == 1);
        } else if (option == "--dispatch") {
            const char *text = value();
            auto &d = o.dispatch;
            whole(text, sscanf(text, "%ux%ux%u%n", &d[0], &d[1], &d[2], &used) == 3 && d[0]);
        } else if (option == "--again") {
            const std::string behind = value();
            o.again = true;
            o.again_behind_barrier = behind == "barrier";
            if (!o.again_behind_barrier && behind != "nothing")
                throw std::invalid_argument("--again: barrier or nothing");
        } else if (option == "--spec") {
            const char *text = value();
            uint32_t id = 0;
            int constant = 0;
            whole(text, sscanf(text, "%u=%i%n", &id, &constant, &used) == 2);
            o.spec[id] = uint32_t(constant);
        } else {
            throw std::invalid_argument("unknown option " + option);
        }
    }
    if (!o.help && !o.info && o.files.empty()) throw std::invalid_argument("no file given");
    return o;
}

} // namespace v3doff::v3d71
