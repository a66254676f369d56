#include "outcome.h"

#include "base/error.h"
#include "base/telling.h"

#include <cerrno>
#include <csignal>
#include <fmt/format.h>
#include <new>
#include <vector>

namespace caprock::cli {

namespace {

enum ExitCode { done = 0, failed = 2, done_but_not_said = 3, cancelled = 130 };

std::vector<std::string>& written() {
    static std::vector<std::string> all;
    return all;
}

std::string written_text() {
    size_t others = written().size() - 1;
    return fmt::format("'{}'{} {} written", written().back(),
                       others > 0 ? fmt::format(" and {} more", others) : "", others > 0 ? "were" : "was");
}

// Names that users give may hold anything; a message is one line all the same, and one that can be read.
std::string in_one_line(std::string text) {
    constexpr size_t longest = 2000;
    constexpr size_t at_the_end = 1000;  // what would be right stands behind what was wrong
    if (text.size() > longest) text.replace(longest - at_the_end, text.size() - longest, " ... ");
    for (char& letter : text)
        if (static_cast<unsigned char>(letter) < ' ' || letter == '\x7f') letter = '?';
    return text;
}

void tell_error(const std::string& message) { tell(fmt::format("caprock: {}\n", in_one_line(message))); }

// The reader went away, as 'head' does: nothing to complain about, and the end that every other program comes to.
int end_with_the_reader() {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
    return 128 + SIGPIPE;
}

int not_heard(int failure) {
    bool nothing_else = written().empty();
    if (failure == EPIPE) return nothing_else ? end_with_the_reader() : done;
    tell_error(not_heard_text(failure) +
               (nothing_else ? "" : "; all was done before that, and " + written_text()));
    return nothing_else ? failed : done_but_not_said;
}

int code_of(const std::function<int()>& work) {
    try {
        int code = work();
        int failure = flush_said();
        return failure != 0 && code == done ? not_heard(failure) : code;
    } catch (const NotHeard&) {
        return not_heard(flush_said());
    } catch (const Cancelled&) {
        tell_error(written().empty()
                       ? "cancelled; no partial file was left"
                       : fmt::format("cancelled after {}; no partial file was left", written_text()));
        return cancelled;
    } catch (const std::bad_alloc&) {
        tell_error("out of memory");
        return failed;
    } catch (const std::exception& error) {
        tell_error(error.what());
        return failed;
    }
}

}  // namespace

void note_written(const std::string& path) {
    if (written().empty() || written().back() != path) written().push_back(path);
}

int concluded(const std::function<int()>& work) {
    int code = failed;
    try {
        code = code_of(work);
    } catch (...) {
        // Not even memory for the last words.
    }
    // What was said before a failure, too.
    flush_said();
    return code;
}

}  // namespace caprock::cli
