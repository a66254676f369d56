// What the user sees while work goes on: a progress bar on a terminal, nothing in a pipe. Ctrl-C cancels.
#pragma once

#include "base/interrupt.h"
#include "operation/declaration.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace caprock::cli {

enum class Loudness { quiet, normal, verbose };

// Of everything that shows a bar or has something to note.
struct QuietSettings {
    bool quiet = false;

    void describe(Declaration& d) { d.flag("quiet", quiet).letter('q').help("no progress, no notes"); }
    Loudness loudness() const { return quiet ? Loudness::quiet : Loudness::normal; }
};

class Terminal {
  public:
    explicit Terminal(Loudness loudness);
    ~Terminal();

    // The run's progress. The same object through all operations of a chain, so that one Ctrl-C ends it.
    Progress& progress() { return progress_; }
    // What the bar is about from now on.
    void begin(const std::string& what);
    void end();

    // For work that nothing is left of: see EndsAtOnce. The bar goes, too.
    const char* last_words() const;

    void alarm(const std::string& message);   // always
    void warn(const std::string& message);    // unless quiet
    void remark(const std::string& message);  // when verbose

  private:
    void keep_drawing(std::stop_token stop);
    void draw();
    void erase();

    using Clock = std::chrono::steady_clock;

    Loudness loudness_;
    bool shows_bar_;
    bool drawn_ = false;
    std::string what_;  // empty between one piece of work and the next
    Clock::time_point began_;
    // The share that was done when somebody last told, and when that was.
    double share_ = 0;
    Clock::time_point told_;
    std::mutex drawing_;
    std::condition_variable_any stopping_;
    Progress progress_;
    Interruptible interruptible_;
    // Draws by the clock: the work may take minutes to the next half percent.
    std::jthread drawer_;
};

}  // namespace caprock::cli
