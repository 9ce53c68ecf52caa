// SPDX-License-Identifier: BSD-2-Clause
// v3d71-shaderstat: statistics of SPIR-V compute shaders from Mesa's compiler for V3D 7.1.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "compile.hpp"
#include "options.hpp"
#include "smoke_dispatch.hpp"

namespace v3doff::v3d71 {

namespace {

enum Exit { exit_ok = 0, exit_shader = 1, exit_usage = 2, exit_not_v3dv = 3 };

std::string quoted(const std::string &text) {
    std::string out = "\"";
    for (const unsigned char c : text) {
        char escape[8];
        if (c == '"' || c == '\\') out += '\\';
        if (c < 0x20) {
            snprintf(escape, sizeof escape, "\\u%04x", c);
            out += escape;
        } else {
            out += char(c);
        }
    }
    return out + '"';
}

// The file's name without directory and ".spv": the shader's name in the tables.
std::string shader_name(const std::string &path) {
    std::string name = path.substr(path.rfind('/') + 1); // npos + 1 is 0
    if (name.size() > 4 && name.compare(name.size() - 4, 4, ".spv") == 0)
        name.resize(name.size() - 4);
    return name;
}

void print_record(const std::string &path, const VulkanDevice &device, const Module &module,
                  const Compiled &compiled, const Statistics &s) {
    const auto number = [](const char *name, int value) { printf(", \"%s\": %d", name, value); };
    printf("{\"name\": %s, \"device\": %s", quoted(shader_name(path)).c_str(),
           quoted(device.properties.deviceName).c_str());
    number("instructions", s.db.instructions);
    number("threads", s.db.threads);
    number("loops", s.db.loops);
    number("uniforms", s.db.uniforms);
    number("max_temps", s.db.max_temps);
    number("spills", s.db.spills);
    number("fills", s.db.fills);
    number("scratch", s.scratch);
    number("tmu", s.qpu.tmu);
    number("tmu_writes", s.qpu.tmu_writes);
    number("tmu_reads", s.qpu.tmu_reads);
    number("nops", s.db.nops);
    number("stalls", s.db.stalls);
    number("thread_switches", s.qpu.thread_switches);
    number("uniform_loads", s.qpu.uniform_loads);
    number("dual", s.qpu.dual);
    number("mul32", s.qpu.mul32);
    number("sfu", s.qpu.sfu);
    number("strategy", s.strategy);
    printf(", \"local_size\": [%u, %u, %u], \"compile_ms\": %.1f}\n", module.local_size[0],
           module.local_size[1], module.local_size[2], compiled.milliseconds);
}

void print_error(const std::string &path, const std::string &error) {
    printf("{\"name\": %s, \"error\": %s}\n", quoted(shader_name(path)).c_str(),
           quoted(error).c_str());
}

void print_representations(const Compiled &compiled, const char *kind) {
    for (const auto &[name, text] : compiled.representations(kind))
        printf("---- %s\n%s\n", name.c_str(), text.c_str());
}

bool measure(const VulkanDevice &device, const Options &o, const std::string &path) {
    try {
        const Module module = load_module(path, o.spec);
        const Compiled compiled(device, module, o.spec);
        if (o.verbose) fputs(compiled.driver_output.c_str(), stderr);
        print_record(path, device, module, compiled, compiled.statistics());
        if (o.qpu) print_representations(compiled, "QPU");
        if (o.nir) print_representations(compiled, "NIR");
        if (o.dispatch[0]) smoke_dispatch(device, module, compiled, o);
    } catch (const std::runtime_error &e) {
        print_error(path, e.what());
        return false;
    }
    fflush(stdout); // the driver may abort on the next one
    return true;
}

void print_device(const VulkanDevice &device) {
    const uint32_t version = device.properties.apiVersion;
    printf("deviceName %s\ndriver %s, %s\napiVersion %u.%u.%u\n", device.properties.deviceName,
           device.driver.driverName, device.driver.driverInfo, VK_API_VERSION_MAJOR(version),
           VK_API_VERSION_MINOR(version), VK_API_VERSION_PATCH(version));
}

int run(const Options &o) {
    // makes Mesa print its statistics line to stderr; what the user asked for stays on
    const char *debug = getenv("V3D_DEBUG");
    setenv("V3D_DEBUG", debug && *debug ? (std::string(debug) + ",shaderdb").c_str() : "shaderdb",
           1);
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1); // nothing is printed for a cached shader
    VulkanDevice device(o.device);
    if (o.info) print_device(device);
    if (o.files.empty()) return exit_ok;
    if (!device.is_v3dv()) {
        fprintf(stderr,
                "v3d71-shaderstat: the device is %s, not v3dv: no statistics. "
                "Run this under tools/v3d71/env.\n",
                device.describe().c_str());
        return exit_not_v3dv;
    }
    device.create(o.robust, o.verbose);
    int status = exit_ok;
    for (const std::string &file : o.files)
        if (!measure(device, o, file)) status = exit_shader;
    return status;
}

} // namespace

} // namespace v3doff::v3d71

int main(int argc, char **argv) {
    using namespace v3doff::v3d71;
    try {
        const Options options = parse_options(argc, argv);
        if (options.help) return fputs(usage_text, stdout), exit_ok;
        return run(options);
    } catch (const std::invalid_argument &e) {
        fprintf(stderr, "v3d71-shaderstat: %s\n%s", e.what(), usage_text);
    } catch (const std::exception &e) {
        fprintf(stderr, "v3d71-shaderstat: %s\n", e.what());
    }
    return exit_usage;
}
