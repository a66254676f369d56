// What the user sees while work goes on: a progress bar on a terminal, nothing in a pipe. Ctrl-C cancels.
#pragma once

#include "base/progress.h"

#include <chrono>
#include <mutex>
#include <string>

namespace caprock::cli {

enum class Loudness { quiet, normal, verbose };

class Terminal {
  public:
    explicit Terminal(Loudness loudness);
    ~Terminal();

    // The run's progress. The same object through all operations of a chain, so that one Ctrl-C ends it.
    Progress& progress() { return progress_; }
    // What the bar is about from now on.
    void begin(const std::string& what);
    void end();

    void warn(const std::string& message);    // unless quiet
    void remark(const std::string& message);  // when verbose

  private:
    void draw(double share);
    void erase();

    Loudness loudness_;
    bool shows_bar_;
    bool drawn_ = false;
    std::string what_;
    std::chrono::steady_clock::time_point began_;
    std::chrono::steady_clock::time_point last_drawn_;
    std::mutex drawing_;
    Progress progress_;
};

}  // namespace caprock::cli
