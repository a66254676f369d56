// Ctrl-C, and whatever else asks a program to end.
#pragma once

#include "base/progress.h"

namespace caprock {

// From now on SIGINT, SIGTERM and SIGHUP are wishes: they cancel what is in progress, and work ends in order. The second of a
// kind ends the program at once.
void answer_interrupts() noexcept;

// Whether such a wish has come.
bool interrupted() noexcept;

// As long as this is there, an interrupt cancels the progress; one that came before does so at once.
class Interruptible {
  public:
    explicit Interruptible(Progress& progress);
    ~Interruptible();
    Interruptible(const Interruptible&) = delete;
    Interruptible& operator=(const Interruptible&) = delete;

  private:
    int place_ = 0;
};

// As long as this is there, an interrupt says the words on the standard error and ends the program with code 130, at once. For
// work that leaves nothing behind wherever it is cut off, and that cannot be asked to stop: a driver that draws, a library
// that reads. Nothing may be open for writing meanwhile.
class EndsAtOnce {
  public:
    explicit EndsAtOnce(const char* last_words);
    ~EndsAtOnce();
    EndsAtOnce(const EndsAtOnce&) = delete;
    EndsAtOnce& operator=(const EndsAtOnce&) = delete;

  private:
    const char* before_;
};

}  // namespace caprock
