#include "document/evaluation_queue.h"

#include "document/documents.h"
#include "document/prefetch.h"
#include "document/tile_store.h"
#include "soak/length.h"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

using namespace std::chrono_literals;

std::shared_ptr<Device> one_thread() { return make_cpu_device(supported_cpu_levels().back(), 1); }

class Queues : public testing::Test {
  protected:
    Folder folder;
    std::unique_ptr<Document> document = Document::create(folder / "a.caprock", grid_of(1024, 1024));
    std::shared_ptr<const Plan> plan() { return std::make_shared<const Plan>(document->snapshot()); }
};

TEST_F(Queues, WhatIsVisibleComesFirst) {
    add_generated(*document, {}, layer_with("Ground"));
    add_operations(*document, operations_of("thermal-erosion", {{"steps", "150"}}), layer_with("Talus"));
    // Waits in the background until the visible one is done.
    std::shared_ptr<const Plan> slow = plan();
    auto quick_document = Document::create(folder / "b.caprock", grid_of(512, 512));
    add_generated(*quick_document, {}, layer_with("Ground"));
    auto quick = std::make_shared<const Plan>(quick_document->snapshot());
    std::vector<std::string> order;
    std::mutex guard;
    auto noting = [&](const std::string& what) {
        return [&, what](const Terrain&, const std::string& error) {
            EXPECT_EQ(error, "");
            std::lock_guard lock(guard);
            order.push_back(what);
        };
    };
    EvaluationQueue queue(one_thread);
    queue.add({slow, {}, slow->window(), EvaluationQueue::Priority::background}, noting("slow"));
    queue.add({slow, {}, slow->window(), EvaluationQueue::Priority::background}, noting("slow again"));
    queue.add({quick, {}, quick->window(), EvaluationQueue::Priority::visible}, noting("visible"));
    queue.wait();
    EXPECT_EQ(order, (std::vector<std::string>{"visible", "slow", "slow again"}));
}

TEST_F(Queues, ACancelledRequestIsNotAnswered) {
    add_generated(*document, {}, layer_with("Ground"));
    // So many that it is not done before it is cancelled; what is told of it comes a hundredth at a time.
    add_operations(*document, operations_of("thermal-erosion", {{"steps", sanitized ? "3000" : "100000"}}),
                   layer_with("Talus"));
    EvaluationQueue queue(one_thread);
    std::atomic<int> answers = 0;
    std::atomic<bool> begun = false;
    queue.watch([&](const std::string& title, double) {
        EXPECT_EQ(title, "Talus: thermal-erosion");
        begun = true;
    });
    std::shared_ptr<const Plan> slow = plan();
    auto count = [&](const Terrain&, const std::string&) { answers++; };
    EvaluationQueue::Ticket first = queue.add({slow, {}, slow->window()}, count);
    EvaluationQueue::Ticket second = queue.add({slow, {}, slow->window()}, count);
    while (!begun) std::this_thread::sleep_for(1ms);
    queue.cancel(second);
    queue.cancel(first);
    queue.wait();
    EXPECT_EQ(answers, 0);
}

TEST_F(Queues, ErrorsAreAnswers) {
    add_painted(*document, "height", layer_with("Painted"));
    std::shared_ptr<const Plan> fine = plan();
    EvaluationQueue queue(one_thread);
    std::string said;
    queue.add({fine, {"height"}, {0, 0, 99999, 99999}},
              [&](const Terrain&, const std::string& error) { said = error; });
    queue.wait();
    // More memory than there is, or a region that is none: whatever it is, it is said.
    EXPECT_NE(said, "");
}

TEST_F(Queues, TheDocumentGoesOnWhileItIsEvaluated) {
    add_generated(*document, {}, layer_with("Ground"));
    int painted = add_painted(*document, "height", layer_with("Painted", "add"));
    add_operations(*document, operations_of("smooth", {{"radius", "50"}}), layer_with("Smooth"));
    EvaluationQueue queue(one_thread);
    std::mutex guard;
    std::vector<std::pair<std::shared_ptr<const Plan>, uint64_t>> results;
    for (uint32_t i = 0; i < 12; i++) {
        stroke(*document, painted, 100 + 60 * i, 100, 900 - 50 * i, 900, 60, 10, i);
        if (i % 4 == 3) document->undo();
        std::shared_ptr<const Plan> now = plan();
        queue.add({now,
                   {"height"},
                   now->window(),
                   i % 2 ? EvaluationQueue::Priority::visible : EvaluationQueue::Priority::soon},
                  [&, now](const Terrain& result, const std::string& error) {
                      EXPECT_EQ(error, "");
                      std::lock_guard lock(guard);
                      results.emplace_back(now, fingerprint(result.height()));
                  });
    }
    queue.wait();
    ASSERT_EQ(results.size(), 12u);
    // Each is of the moment it was asked for, though the tiles have long been replaced.
    document->flush();
    document->store()->cache().clear();
    RunContext context = cpu_context();
    for (const auto& [of, found] : results)
        EXPECT_EQ(fingerprint(Evaluator(context).evaluate(*of, of->window()).height()), found);
}

TEST_F(Queues, TilesAheadOfAStrokeAreInMemory) {
    int painted = add_painted(*document, "height", layer_with("Painted"));
    int canvas = canvas_of(document->state(), painted, "");
    paint(*document, painted, canvas,
          made_field({0, 0, 1024, 1024}, [](int x, int y) { return scattered(x, y, 1); }), "all of it");
    document->flush();
    document->store()->cache().clear();
    Canvas kept = document->snapshot().canvas(canvas);
    auto in_memory = [&](int x, int y) { return (*kept.tiles->find({x, y}))->in_memory(); };
    EXPECT_FALSE(in_memory(1, 0));
    Prefetcher prefetcher;
    // From the first tile towards the east.
    prefetcher.follow(kept, {50, 50, 150, 150}, {180, 50, 280, 150});
    prefetcher.wait();
    EXPECT_TRUE(in_memory(1, 0));
    EXPECT_TRUE(in_memory(2, 0));
    EXPECT_FALSE(in_memory(3, 0));
    EXPECT_FALSE(in_memory(0, 1));
}

}  // namespace
}  // namespace caprock::test
