// SPDX-License-Identifier: BSD-2-Clause
// v3doff: shows what this machine's devices can do, whether the bits are right, and how fast it is.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands.hpp"
#include "names.hpp"
#include "session.hpp"

void tool::add_device_option(CLI::App *command, DeviceChoice &choice) {
    command->add_option("--device", choice.select,
                        "device: its number, part of its name, or its UUID");
}

int main(int count, char **arguments) {
    CLI::App app("Shows what libv3doff can do on this machine, and checks and times it", "v3doff");
    app.require_subcommand(1);
    app.set_version_flag("--version", tool::library_version());
    bool verbose = false;
    app.add_flag("-v,--verbose", verbose, "show the library's log, with debug lines");
    int status = 0;
    app.parse_complete_callback(
        [&] { tool::log_to_stderr(verbose ? V3DOFF_LOG_DEBUG : V3DOFF_LOG_WARNING); });
    tool::add_info(app, status);
    tool::add_check(app, status);
    tool::add_bench(app, status);
    tool::add_score(app, status);
    tool::add_replay(app, status);
    tool::add_tune(app, status);
    tool::add_recipe(app, status);
    tool::add_report(app, status);
    try {
        app.parse(count, arguments);
    } catch (const CLI::ParseError &problem) {
        // Asking for help succeeds; every other misuse is status 2, as in other tools.
        const std::string unknown = problem.get_exit_code() ? tool::unknown_word(app) : "";
        if (unknown.empty()) return app.exit(problem) == 0 ? 0 : 2;
        fmt::print(stderr, "v3doff: {}\nRun with --help for more information.\n", unknown);
        return 2;
    } catch (const std::exception &problem) {
        fmt::print(stderr, "v3doff: {}\n", problem.what());
        return 1;
    }
    return status;
}
