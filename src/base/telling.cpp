#include "base/telling.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <string>
#include <unistd.h>

namespace caprock {

namespace {

constexpr size_t enough_to_write = 32 << 10;

// The error number, 0 where all of it was written.
int write_all(int stream, std::string_view text) noexcept {
    while (!text.empty()) {
        ssize_t count = write(stream, text.data(), text.size());
        if (count >= 0) {
            text.remove_prefix(size_t(count));
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            // Whoever else has this stream made it one that does not wait.
            pollfd until{stream, POLLOUT, 0};
            poll(&until, 1, -1);
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

struct Said {
    std::mutex guard;
    std::string waiting;
    int failure = 0;
    bool at_once = isatty(STDOUT_FILENO) == 1;

    void flush() noexcept {
        if (failure == 0) failure = write_all(STDOUT_FILENO, waiting);
        waiting.clear();
    }
};

// Never taken down: others may still say something while the program ends.
Said& said() {
    static Said* const all = new Said;
    return *all;
}

void do_nothing(int) {}

}  // namespace

void secure_standard_streams() noexcept {
    for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
        // The wrong way round: who reads from it or writes to it is told. Lower numbers are taken, so that it gets this one.
        int flags = stream == STDIN_FILENO ? O_WRONLY : O_RDONLY;
        if (open("/dev/null", flags) < 0) open("/", O_RDONLY);
    }
    // Not ignored, which programs that are started from here would inherit.
    std::signal(SIGPIPE, do_nothing);
    std::signal(SIGXFSZ, do_nothing);
}

void tell(std::string_view text) noexcept { write_all(STDERR_FILENO, text); }

void say_text(std::string_view text) noexcept {
    try {
        Said& all = said();
        std::lock_guard lock(all.guard);
        if (all.failure != 0) return;
        all.waiting += text;
        bool line = all.at_once && text.find('\n') != std::string_view::npos;
        if (line || all.waiting.size() >= enough_to_write) all.flush();
    } catch (...) {
        said().failure = ENOMEM;
    }
}

int flush_said() noexcept {
    Said& all = said();
    std::lock_guard lock(all.guard);
    all.flush();
    return all.failure;
}

std::string not_heard_text(int failure) {
    return fmt::format("cannot write to the standard output: {}",
                       failure == EBADF ? "it is closed" : std::strerror(failure));
}

void flush_said_or_stop() {
    if (int failure = flush_said()) throw NotHeard(not_heard_text(failure));
}

}  // namespace caprock
