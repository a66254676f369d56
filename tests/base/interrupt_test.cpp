#include "base/interrupt.h"

#include <csignal>
#include <gtest/gtest.h>

namespace caprock {
namespace {

// Each in a process of its own: an interrupt is for all of a process, and for good.
int code_after(int signal) {
    answer_interrupts();
    Progress first;
    Progress second;
    Interruptible first_one(first);
    {
        Progress gone;
        Interruptible gone_one(gone);
    }
    Interruptible second_one(second);
    if (first.cancelled() || interrupted()) return 1;
    std::raise(signal);
    if (!first.cancelled() || !second.cancelled() || !interrupted()) return 2;
    Progress later;
    Interruptible later_one(later);
    return later.cancelled() ? 0 : 3;
}

TEST(InterruptDeathTest, CancelsAllThatIsInProgressAndComesLater) {
    for (int signal : {SIGINT, SIGTERM, SIGHUP})
        EXPECT_EXIT(std::exit(code_after(signal)), testing::ExitedWithCode(0), "") << signal;
}

TEST(InterruptDeathTest, TheSecondEndsAtOnce) {
    EXPECT_EXIT(
        {
            answer_interrupts();
            std::raise(SIGINT);
            std::raise(SIGINT);
        },
        testing::KilledBySignal(SIGINT), "");
}

TEST(InterruptDeathTest, EndsAtOnceWithLastWords) {
    EXPECT_EXIT(
        {
            answer_interrupts();
            EndsAtOnce outer("outer\n");
            { EndsAtOnce inner("inner\n"); }
            std::raise(SIGTERM);
        },
        testing::ExitedWithCode(130), "^outer");
    EXPECT_EXIT(
        {
            answer_interrupts();
            { EndsAtOnce over("over\n"); }
            std::raise(SIGINT);
            std::exit(7);
        },
        testing::ExitedWithCode(7), "^$");
    EXPECT_EXIT(
        {
            answer_interrupts();
            std::raise(SIGINT);
            EndsAtOnce late("late\n");
        },
        testing::ExitedWithCode(130), "^late");
}

TEST(InterruptDeathTest, WhoIgnoresHangUpsGoesOnIgnoringThem) {
    EXPECT_EXIT(
        {
            std::signal(SIGHUP, SIG_IGN);
            answer_interrupts();
            std::raise(SIGHUP);
            std::exit(interrupted() ? 1 : 0);
        },
        testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace caprock
