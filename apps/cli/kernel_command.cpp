#include "kernel_command.h"

#include "base/error.h"
#include "base/file_stamp.h"
#include "base/telling.h"
#include "base/text.h"
#include "base/text_file.h"
#include "compute/cpu_device.h"
#include "compute/devices.h"
#include "compute/opencl/opencl_device.h"
#include "operation/kernel_operation.h"
#include "options.h"
#include "terminal.h"

#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <thread>

namespace caprock::cli {

bool means_operation(const std::string& word) { return is_operation(word) || is_kernel_name(word); }

std::unique_ptr<Operation> operation_meant(const std::string& word) {
    return is_kernel_name(word) ? KernelFile(word).operation() : make_operation(word);
}

namespace {

struct KernelSettings {
    std::string device = "all";
    bool watch = false;
    QuietSettings quiet;
    void describe(Declaration& d) {
        d.text("device", device)
            .help("whose compiler is asked: all, or auto, cpu, gpu, opencl or part of a name");
        d.flag("watch", watch).help("check again whenever a file changes, until interrupted");
        quiet.describe(d);
    }
};

std::vector<std::shared_ptr<Device>> devices_for(const std::string& word) {
    if (word != "all") return {choose_device(word, 0, 1)};
    std::vector<std::shared_ptr<Device>> devices = {make_cpu_device(chosen_cpu_level())};
    for (size_t i = 0; i < opencl_descriptions().size(); i++) {
        try {
            devices.push_back(open_opencl_device(i));
        } catch (const DeviceError&) {
            // One that no run would take either.
        }
    }
    return devices;
}

// What the file is, for somebody who has just written it.
std::string summary_of(const KernelFile& file) {
    std::unique_ptr<Operation> operation = file.operation();
    const FieldUse use = operation->fields();
    std::string text = fmt::format("{}: {}\n", in_a_line(file.path()), operation->schema().summary());
    auto line = [&](const char* what, const std::vector<std::string>& names) {
        if (!names.empty()) text += fmt::format("  {:<10} {}\n", what, listed(names));
    };
    line("reads", use.inputs);
    line("may use", use.optional_inputs);
    line("writes", use.outputs);
    std::vector<std::string> parameters;
    for (const Parameter& parameter : operation->schema().parameters())
        parameters.push_back(fmt::format("--{} {}{}{}", parameter.name(), operation->value_text(parameter),
                                         parameter.unit().empty() ? "" : " ", parameter.unit()));
    line("parameters", parameters);
    return text;
}

// Prints what the file is, or everything that is wrong with it, each with its line. Says whether all is well.
bool check_file(const std::string& path, const std::vector<std::shared_ptr<Device>>& devices,
                Terminal& terminal) {
    std::string whose;
    std::vector<std::string> problems;
    std::unique_ptr<KernelFile> file;
    try {
        {
            EndsAtOnce only_reading(terminal.last_words());
            file = std::make_unique<KernelFile>(path);
        }
        for (const std::shared_ptr<Device>& device : devices) {
            whose = device->is_cpu() ? "" : fmt::format(" ({})", device->name());
            device->prepare(file->program().kernel->kernel());
        }
    } catch (const KernelError& error) {
        // The same mistakes in the words of the next compiler would help nobody.
        problems = error.lines();
    } catch (const Error& error) {
        problems = {error.what()};
    }
    for (const std::string& problem : problems) tell(fmt::format("{}\n", in_a_line(problem + whose)));
    if (problems.empty()) say("{}", summary_of(*file));
    flush_said_or_stop();
    return problems.empty();
}

// Until it is interrupted: that is how it ends, and nothing to complain about.
int watch_files(const std::vector<std::string>& files, const std::vector<std::shared_ptr<Device>>& devices,
                Terminal& terminal) {
    std::vector<std::optional<FileStamp>> seen(files.size());
    try {
        while (true) {
            for (size_t i = 0; i < files.size(); i++) {
                FileStamp now = FileStamp::of(files[i]);
                if (seen[i] == now) continue;
                seen[i] = now;
                check_file(files[i], devices, terminal);
            }
            for (int i = 0; i < 10; i++) {
                terminal.progress().check();
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
            }
        }
    } catch (const Cancelled&) {
        return 128 + SIGINT;
    }
}

}  // namespace

int kernel_command(const std::vector<std::string>& words) {
    KernelSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    std::set<std::string> given;
    std::vector<std::string> files = read_options(declaration, Words(words), "kernel", given);
    if (files.empty()) throw Error("kernel: takes files: caprock kernel FILE.kernel ...");
    for (const std::string& file : files)
        if (!is_kernel_name(file))
            throw Error(fmt::format("kernel: '{}' must end in .kernel to be an operation", shown_path(file)));
    std::vector<std::shared_ptr<Device>> devices = devices_for(settings.device);
    Terminal terminal(settings.quiet.loudness());
    if (settings.watch) return watch_files(files, devices, terminal);
    bool all_well = true;
    for (const std::string& file : files) {
        terminal.progress().check();
        all_well &= check_file(file, devices, terminal);
    }
    return all_well ? 0 : 2;
}

std::string kernel_help() { return settings_help<KernelSettings>(); }
std::vector<std::string> kernel_option_names() { return settings_names<KernelSettings>(); }

}  // namespace caprock::cli
