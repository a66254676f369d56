#include "base/progress.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace caprock {
namespace {

// Everything a listener hears.
struct Heard {
    std::vector<double> shares;
    Progress progress{[this](double share) { shares.push_back(share); }};

    void expect_rising() const {
        for (size_t i = 1; i < shares.size(); i++) ASSERT_GT(shares[i], shares[i - 1]) << i;
        for (double share : shares) ASSERT_LE(share, 1);
    }
};

// Work that is paused stands still until it goes on, and is not lost; one that is cancelled meanwhile ends.
TEST(Progress, IsPausedAndGoesOn) {
    for (bool cancels : {false, true}) {
        Progress progress;
        Progress part(progress, 1);
        progress.expect(1000000);
        std::atomic<int> done = 0;
        std::atomic<bool> cancelled = false;
        progress.pause(true);
        std::thread worker([&] {
            try {
                for (int i = 0; i < 100; i++) {
                    part.advance(1);
                    done++;
                }
            } catch (const Cancelled&) {
                cancelled = true;
            }
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        EXPECT_EQ(done, 0);
        EXPECT_TRUE(part.paused());
        cancels ? progress.cancel() : progress.pause(false);
        worker.join();
        EXPECT_EQ(done, cancels ? 0 : 100);
        EXPECT_EQ(cancelled, cancels);
    }
}

TEST(Progress, RisesToOneInAboutTwoHundredSteps) {
    Heard heard;
    heard.progress.expect(1000000);
    for (int i = 0; i < 1000000; i++) heard.progress.advance(1);
    heard.expect_rising();
    EXPECT_EQ(heard.shares.back(), 1);
    EXPECT_GE(heard.shares.size(), 190u);
    EXPECT_LE(heard.shares.size(), 200u);
}

TEST(Progress, TellsTheShareThatIsDone) {
    Heard heard;
    heard.progress.expect(8);
    heard.progress.advance(2);
    heard.progress.advance(4);
    EXPECT_EQ(heard.shares, (std::vector<double>{0.25, 0.75}));
}

TEST(Progress, MoreWorkThanExpectedStaysAtOne) {
    Heard heard;
    heard.progress.expect(1);
    // The share would not fit in an int.
    for (int i = 0; i < 5; i++) heard.progress.advance(int64_t(1) << 60);
    EXPECT_EQ(heard.shares, std::vector<double>{1});
}

TEST(Progress, NothingToDoIsNotDividedByZero) {
    for (int64_t units : {int64_t(0), int64_t(-5)}) {
        Heard heard;
        heard.progress.expect(units);
        heard.progress.advance(0);
        heard.expect_rising();
        heard.progress.complete();
        EXPECT_EQ(heard.shares, std::vector<double>{1});
    }
}

TEST(Progress, CompleteReachesOneWhateverWasExpected) {
    Heard heard;
    heard.progress.expect(100);
    heard.progress.advance(30);
    heard.progress.complete();
    heard.progress.complete();
    EXPECT_EQ(heard.shares, (std::vector<double>{0.3, 1}));
}

TEST(Progress, ExpectingAgainStartsFromZero) {
    Heard heard;
    heard.progress.expect(10);
    heard.progress.advance(10);
    heard.progress.expect(4);
    heard.progress.advance(1);
    EXPECT_EQ(heard.shares, (std::vector<double>{1, 0.25}));
}

TEST(Progress, SixtyFourBitCounts) {
    Heard heard;
    int64_t cells = int64_t(65536) * 65536;
    heard.progress.expect(cells * 100000);
    for (int i = 0; i < 4; i++) heard.progress.advance(cells * 25000);
    EXPECT_EQ(heard.shares, (std::vector<double>{0.25, 0.5, 0.75, 1}));
}

TEST(Progress, CancelIsThrownAtTheNextStep) {
    Progress progress;
    progress.expect(10);
    progress.advance(1);
    EXPECT_FALSE(progress.cancelled());
    EXPECT_NO_THROW(progress.check());
    progress.cancel();
    EXPECT_TRUE(progress.cancelled());
    EXPECT_THROW(progress.check(), Cancelled);
    EXPECT_THROW(progress.advance(1), Cancelled);
    // A new expectation is not a pardon.
    progress.expect(10);
    EXPECT_THROW(progress.advance(1), Cancelled);
}

TEST(Progress, ListenerMayCancel) {
    Progress* self = nullptr;
    Progress progress([&](double share) {
        if (share >= 0.5) self->cancel();
    });
    self = &progress;
    progress.expect(100);
    int done = 0;
    EXPECT_THROW(
        while (true) {
            progress.advance(1);
            done++;
        },
        Cancelled);
    EXPECT_EQ(done, 49);
}

TEST(Progress, APartIsToldAsItsShareOfTheWhole) {
    Heard heard;
    heard.progress.expect(4);
    heard.progress.advance(1);
    {
        Progress part(heard.progress, 2);
        part.expect(10);
        part.advance(5);
        // A part that finds more work starts over; the whole does not.
        part.expect(100);
        part.advance(10);
        part.advance(80);
        part.complete();
        heard.progress.advance(2);
    }
    heard.progress.advance(1);
    EXPECT_EQ(heard.shares, (std::vector<double>{0.25, 0.5, 0.7, 0.75, 1}));
}

TEST(Progress, PartsHavePartsThemselves) {
    Heard heard;
    heard.progress.expect(2);
    Progress half(heard.progress, 1);
    half.expect(2);
    half.advance(1);
    Progress quarter(half, 1);
    quarter.expect(5);
    for (int i = 0; i < 5; i++) quarter.advance(1);
    EXPECT_EQ(heard.shares.size(), 6u);
    EXPECT_EQ(heard.shares.front(), 0.25);
    EXPECT_EQ(heard.shares.back(), 0.5);
    heard.expect_rising();
}

TEST(Progress, APartNobodyExpectedStaysAtOne) {
    Heard heard;
    heard.progress.expect(1);
    heard.progress.advance(1);
    Progress part(heard.progress, 1);
    part.advance(1);
    EXPECT_EQ(heard.shares, std::vector<double>{1});
}

TEST(Progress, CancellingAPartIsCancellingTheWhole) {
    Progress whole;
    Progress part(whole, 1);
    Progress of_part(part, 1);
    EXPECT_NO_THROW(of_part.advance(1));
    of_part.cancel();
    EXPECT_TRUE(whole.cancelled());
    EXPECT_THROW(part.check(), Cancelled);
    Progress other;
    Progress other_part(other, 1);
    other.cancel();
    EXPECT_TRUE(other_part.cancelled());
    EXPECT_THROW(other_part.advance(1), Cancelled);
}

TEST(Progress, ThreadsAreHeardOneAtATimeAndInOrder) {
    for (int round = 0; round < 10; round++) {
        std::atomic<int> listening = 0;
        std::atomic<int> most = 0;
        std::vector<double> shares;
        Progress progress([&](double share) {
            most = std::max(most.load(), ++listening);
            // Long enough for another thread to come in, were it let.
            std::this_thread::sleep_for(std::chrono::microseconds(20));
            shares.push_back(share);
            --listening;
        });
        constexpr int each = 2000;
        progress.expect(4 * each);
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; i++)
            threads.emplace_back([&] {
                for (int unit = 0; unit < each; unit++) progress.advance(1);
            });
        for (std::thread& thread : threads) thread.join();
        ASSERT_EQ(most, 1);
        for (size_t i = 1; i < shares.size(); i++) ASSERT_GT(shares[i], shares[i - 1]);
        ASSERT_EQ(shares.back(), 1);
        ASSERT_LE(shares.size(), 200u);
    }
}

TEST(Progress, AnyThreadMayCancel) {
    Progress progress;
    progress.expect(1);
    std::thread other([&] { progress.cancel(); });
    EXPECT_THROW(while (true) progress.advance(1), Cancelled);
    other.join();
}

}  // namespace
}  // namespace caprock
