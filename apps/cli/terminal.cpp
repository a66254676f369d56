#include "terminal.h"

#include "base/telling.h"

#include <algorithm>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace caprock::cli {

namespace {

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

std::string duration_text(double seconds) {
    if (seconds < 100) return fmt::format("{:.0f} s", seconds);
    if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
    return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

Terminal::Terminal(Loudness loudness)
    : loudness_(loudness),
      shows_bar_(loudness != Loudness::quiet && isatty(STDERR_FILENO)),
      progress_([this](double share) {
          std::lock_guard lock(drawing_);
          share_ = share;
          told_ = Clock::now();
      }),
      interruptible_(progress_) {
    if (shows_bar_) drawer_ = std::jthread([this](std::stop_token stop) { keep_drawing(stop); });
}

Terminal::~Terminal() {
    if (drawer_.joinable()) {
        drawer_.request_stop();
        drawer_.join();
    }
    end();
}

void Terminal::begin(const std::string& what) {
    std::lock_guard lock(drawing_);
    what_ = what;
    share_ = 0;
    began_ = Clock::now();
}

void Terminal::end() {
    std::lock_guard lock(drawing_);
    what_.clear();
    erase();
}

void Terminal::keep_drawing(std::stop_token stop) {
    std::unique_lock lock(drawing_);
    while (!stop.stop_requested()) {
        draw();
        stopping_.wait_for(lock, stop, std::chrono::milliseconds(100), [] { return false; });
    }
}

void Terminal::draw() {
    auto seconds = [](Clock::duration time) { return std::chrono::duration<double>(time).count(); };
    Clock::time_point now = Clock::now();
    // Short work shows nothing.
    if (what_.empty() || seconds(now - began_) < 0.2) return;
    std::string time = duration_text(seconds(now - began_)) + " so far";
    if (share_ > 0) {
        double left = seconds(told_ - began_) * (1 - share_) / share_ - seconds(now - told_);
        time = duration_text(std::max(left, 0.0)) + " left";
    }
    std::string figures = fmt::format("{:3.0f} %, {}", share_ * 100, time);
    int columns = terminal_columns();
    int width = std::clamp(columns / 3, 5, 30);
    std::string bar;
    for (int i = 0; i < width; i++) bar += i < share_ * width ? "█" : "░";
    std::string what = shortened(what_, columns - width - int(figures.size()) - 3);
    tell(fmt::format("\r\033[K{} {} {}", what, bar, figures));
    drawn_ = true;
}

void Terminal::erase() {
    if (drawn_) tell(fmt::format("\r\033[K"));
    drawn_ = false;
}

const char* Terminal::last_words() const {
    return shows_bar_ ? "\r\033[Kcaprock: cancelled; no partial file was left\n"
                      : "caprock: cancelled; no partial file was left\n";
}

void Terminal::alarm(const std::string& message) {
    std::lock_guard lock(drawing_);
    erase();
    tell(fmt::format("caprock: note: {}\n", message));
}

void Terminal::warn(const std::string& message) {
    if (loudness_ != Loudness::quiet) alarm(message);
}

void Terminal::remark(const std::string& message) {
    if (loudness_ != Loudness::verbose) return;
    std::lock_guard lock(drawing_);
    erase();
    tell(fmt::format("caprock: {}\n", message));
}

}  // namespace caprock::cli
