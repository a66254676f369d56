#include "terminal.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace caprock::cli {

namespace {

std::atomic<Progress*> running = nullptr;

// Only stores into an atomic. A second Ctrl-C ends the program the hard way.
void on_interrupt(int signal) {
    if (Progress* progress = running) progress->cancel();
    std::signal(signal, SIG_DFL);
}

int terminal_columns() {
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// A bar that wraps into the next line cannot be drawn over.
std::string shortened(const std::string& text, int columns) {
    size_t most = size_t(std::max(columns, 4));
    if (text.size() <= most) return text;
    size_t cut = most - 1;
    // Not in the middle of a letter of several bytes.
    while (cut > 0 && (text[cut] & 0xc0) == 0x80) cut--;
    return text.substr(0, cut) + "…";
}

std::string time_text(double seconds) {
    if (seconds < 100) return fmt::format("{:.0f} s", seconds);
    if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
    return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

Terminal::Terminal(Loudness loudness)
    : loudness_(loudness),
      shows_bar_(loudness != Loudness::quiet && isatty(STDERR_FILENO)),
      progress_([this](double share) { draw(share); }) {
    running = &progress_;
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
}

Terminal::~Terminal() {
    running = nullptr;
    end();
}

void Terminal::begin(const std::string& what) {
    std::lock_guard lock(drawing_);
    what_ = what;
    began_ = std::chrono::steady_clock::now();
    last_drawn_ = began_;
}

void Terminal::end() {
    std::lock_guard lock(drawing_);
    erase();
}

void Terminal::draw(double share) {
    if (!shows_bar_) return;
    std::unique_lock lock(drawing_, std::try_to_lock);
    if (!lock) return;
    auto now = std::chrono::steady_clock::now();
    // Short work shows nothing; the bar moves ten times a second.
    if (std::chrono::duration<double>(now - last_drawn_).count() < 0.1) return;
    last_drawn_ = now;
    double taken = std::chrono::duration<double>(now - began_).count();
    double left = share > 0 ? taken * (1 - share) / share : 0;
    std::string figures = fmt::format("{:3.0f} %, {} left", share * 100, time_text(left));
    int columns = terminal_columns();
    int width = std::clamp(columns / 3, 5, 30);
    std::string bar;
    for (int i = 0; i < width; i++) bar += i < share * width ? "█" : "░";
    std::string what = shortened(what_, columns - width - int(figures.size()) - 3);
    fmt::print(stderr, "\r\033[K{} {} {}", what, bar, figures);
    std::fflush(stderr);
    drawn_ = true;
}

void Terminal::erase() {
    if (drawn_) fmt::print(stderr, "\r\033[K");
    drawn_ = false;
}

void Terminal::warn(const std::string& message) {
    if (loudness_ == Loudness::quiet) return;
    std::lock_guard lock(drawing_);
    erase();
    fmt::print(stderr, "caprock: note: {}\n", message);
}

void Terminal::remark(const std::string& message) {
    if (loudness_ != Loudness::verbose) return;
    std::lock_guard lock(drawing_);
    erase();
    fmt::print(stderr, "caprock: {}\n", message);
}

}  // namespace caprock::cli
