#include "compute/kernel_error.h"

#include "base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace caprock {

namespace {

std::string line_of(const std::string& file, const KernelProblem& problem) {
    return problem.line > 0 ? fmt::format("{}:{}: {}", file, problem.line, problem.message)
                            : fmt::format("{}: {}", file, problem.message);
}

std::string summary_of(const std::string& file, const std::vector<KernelProblem>& problems) {
    if (problems.empty()) return file + ": does not compile";
    std::string first = line_of(file, problems.front());
    return problems.size() == 1 ? first : fmt::format("{} (and {} more)", first, problems.size() - 1);
}

// What follows "error: " in a line, in whatever words a compiler puts it.
std::optional<std::string_view> error_in(std::string_view line) {
    for (std::string_view word : {"error: ", "error : "}) {
        size_t at = line.find(word);
        if (at != std::string_view::npos) return line.substr(at + word.size());
    }
    return std::nullopt;
}

// The N of FILE:N: in a line, whatever stands before the file's name.
int line_number_in(std::string_view line, const std::string& called) {
    size_t at = line.find(called + ":");
    if (at == std::string_view::npos) return 0;
    int number = 0;
    for (size_t i = at + called.size() + 1; i < line.size() && line[i] >= '0' && line[i] <= '9'; i++)
        number = std::min(number * 10 + (line[i] - '0'), 100'000'000);
    return number;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

// A compiler's message in terms of the user's text.
std::string message_of(std::string_view error, const std::string& called) {
    // PoCL says where after it has said that.
    if (error.starts_with(called + ":")) {
        size_t end = error.find(": ");
        if (end != error.npos) error.remove_prefix(end + 2);
    }
    std::string message = in_a_line(error);
    replace_all(message, "{anonymous}::", "");
    replace_all(message, "(anonymous namespace)::", "");
    constexpr std::string_view store = "'STORE_";
    if (size_t at = message.find(store); at != std::string::npos) {
        size_t name = at + store.size();
        return fmt::format("STORE: the kernel has no output '{}'",
                           message.substr(name, message.find('\'', name) - name));
    }
    return message;
}

}  // namespace

std::string in_a_line(std::string_view text) {
    std::string line(text);
    for (char& c : line)
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
    return line;
}

KernelError::KernelError(const std::string& file, std::vector<KernelProblem> problems)
    : DeviceError(summary_of(file, problems)), file_(file), problems_(std::move(problems)) {}

std::vector<std::string> KernelError::lines() const {
    std::vector<std::string> lines;
    for (const KernelProblem& problem : problems_) lines.push_back(line_of(file_, problem));
    return lines;
}

std::vector<KernelProblem> problems_in(std::string_view compiler_output, const std::string& called) {
    std::vector<KernelProblem> problems;
    KernelProblem elsewhere;
    for (const std::string& line : split(compiler_output, '\n')) {
        int number = line_number_in(line, called);
        std::optional<std::string_view> error = error_in(line);
        if (!error) {
            // An error inside the dialect's words is followed by where they were used.
            if (number > 0 && problems.empty() && !elsewhere.message.empty() && elsewhere.line == 0)
                elsewhere.line = number;
            continue;
        }
        std::string message = message_of(*error, called);
        if (number > 0) {
            bool told = std::ranges::any_of(problems, [&](const KernelProblem& problem) {
                return problem.line == number && problem.message == message;
            });
            if (!told) problems.push_back({number, message});
        } else if (elsewhere.message.empty()) {
            elsewhere.message = message;
        }
    }
    if (problems.empty() && !elsewhere.message.empty()) problems.push_back(elsewhere);
    std::ranges::stable_sort(problems, {}, &KernelProblem::line);
    return problems;
}

}  // namespace caprock
