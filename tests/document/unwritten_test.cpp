// What cannot be written: it is told at once and in words, it waits, and it goes where there is room.
#include "document/documents.h"
#include "document/verify.h"

#include <condition_variable>
#include <filesystem>
#include <gtest/gtest.h>
#include <mutex>

namespace caprock::test {
namespace {

namespace fs = std::filesystem;

// What a document tells while it cannot be written, from whatever thread.
class Listener {
  public:
    UnwrittenWatch watch() {
        return [this](const Unwritten& now) {
            std::lock_guard lock(guard_);
            heard_.push_back(now);
            changed_.notify_all();
        };
    }
    // The next news that suits, also those that have come already.
    template <typename Suits>
    Unwritten wait_for(const Suits& suits) {
        std::unique_lock lock(guard_);
        Unwritten found;
        bool came = changed_.wait_for(lock, std::chrono::seconds(60), [&] {
            for (; next_ < heard_.size(); next_++)
                if (suits(heard_[next_])) {
                    found = heard_[next_++];
                    return true;
                }
            return false;
        });
        EXPECT_TRUE(came) << "nobody was told";
        return found;
    }
    Unwritten wait_for_trouble() {
        return wait_for([](const Unwritten& news) { return !news.trouble.empty(); });
    }
    Unwritten wait_for_relief() {
        return wait_for([](const Unwritten& news) { return news.trouble.empty(); });
    }

  private:
    std::mutex guard_;
    std::condition_variable changed_;
    std::vector<Unwritten> heard_;
    size_t next_ = 0;
};

struct Painted {
    Folder folder;
    Listener listener;
    std::string home = folder / "home";
    std::string path = home + "/land.caprock";
    std::unique_ptr<Document> document;
    int layer = 0;

    Painted() {
        fs::create_directory(home);
        DocumentOptions options;
        options.watch = listener.watch();
        document = Document::create(path, grid_of(300, 300), options);
        layer = add_painted(*document, "height", layer_with("Painted"));
        paint(1);
        document->flush();
    }
    void paint(int number) {
        stroke(*document, layer, 20 + 13 * number, 30, 200, 40 + 17 * number, 15, 10, uint32_t(number));
    }
};

TEST(Unwritten, AFolderThatIsGoneIsToldAndForgottenWhenItIsBack) {
    Painted land;
    fs::rename(land.home, land.folder / "away");
    land.paint(2);
    Unwritten first = land.listener.wait_for_trouble();
    EXPECT_NE(first.trouble.find("the folder '" + land.home + "' is gone"), std::string::npos)
        << first.trouble;
    EXPECT_EQ(first.changes, 1);
    // Whatever comes on top is told as well.
    land.paint(3);
    ASSERT_TRUE(land.document->undo());
    EXPECT_EQ(land.listener.wait_for([](const Unwritten& news) { return news.changes == 3; }).trouble,
              first.trouble);
    EXPECT_THROW(land.document->flush(), Error);
    EXPECT_EQ(land.document->unwritten().changes, 3);
    fs::rename(land.folder / "away", land.home);
    EXPECT_EQ(land.listener.wait_for_relief().changes, 0);
    land.document->flush();
    uint64_t heights = height_fingerprint(*land.document);
    land.document.reset();
    auto again = Document::open(land.path);
    EXPECT_EQ(again->position(), 3);
    EXPECT_EQ(again->entries(), 4);
    EXPECT_EQ(height_fingerprint(*again), heights);
}

TEST(Unwritten, AFileThatIsDeletedOrReplacedIsNotWrittenTo) {
    Painted land;
    fs::rename(land.path, land.folder / "moved.caprock");
    land.paint(2);
    EXPECT_EQ(land.listener.wait_for_trouble().trouble, "the file was deleted or moved meanwhile");
    write_text(land.path, "somebody else's");
    EXPECT_EQ(
        land.listener
            .wait_for([](const Unwritten& news) { return news.trouble.find("another") != std::string::npos; })
            .trouble,
        "another file has taken its place meanwhile");
    // Nor is it written over.
    EXPECT_THROW(land.document->save_as(land.path), Error);
    EXPECT_EQ(file_text(land.path), "somebody else's");
    land.document->save_as(land.folder / "kept.caprock");
    EXPECT_EQ(land.listener.wait_for_relief().changes, 0);
    EXPECT_EQ(file_text(land.path), "somebody else's");
}

TEST(Unwritten, SavingElsewhereTakesAllOfItAlong) {
    Painted land;
    fs::rename(land.home, land.folder / "away");
    for (int i = 2; i <= 5; i++) land.paint(i);
    ASSERT_TRUE(land.document->undo());
    uint64_t heights = height_fingerprint(*land.document);
    std::string elsewhere = land.folder / "elsewhere.caprock";
    // Not where it cannot be written either; it stays where it is then.
    EXPECT_THROW(land.document->save_as(land.folder / "nowhere/land.caprock"), Error);
    EXPECT_EQ(land.document->path(), land.path);
    land.document->save_as(elsewhere);
    EXPECT_EQ(land.document->path(), elsewhere);
    EXPECT_EQ(land.document->unwritten().changes, 0);
    // It goes on there.
    ASSERT_TRUE(land.document->redo());
    land.paint(6);
    land.document->flush();
    land.document.reset();
    EXPECT_TRUE(verify_project(elsewhere).sound());
    auto again = Document::open(elsewhere);
    EXPECT_EQ(again->position(), 7);
    ASSERT_TRUE(again->undo());
    ASSERT_TRUE(again->undo());
    EXPECT_EQ(height_fingerprint(*again), heights);
    while (again->undo()) {
    }
    EXPECT_TRUE(again->state().layers.empty());
}

TEST(Unwritten, WhatIsDiscardedIsNotInTheFile) {
    Painted land;
    uint64_t before = height_fingerprint(*land.document);
    fs::rename(land.home, land.folder / "away");
    land.paint(2);
    land.listener.wait_for_trouble();
    land.document->discard_unwritten();
    EXPECT_EQ(land.document->unwritten().changes, 0);
    fs::rename(land.folder / "away", land.home);
    land.document.reset();
    auto again = Document::open(land.path);
    EXPECT_EQ(again->position(), 2);
    EXPECT_EQ(height_fingerprint(*again), before);
}

// Nobody is bothered with what can be made again, nor does it take the room of what cannot.
TEST(Unwritten, OnlyWhatCannotBeMadeAgainIsMissed) {
    Painted land;
    fs::rename(land.home, land.folder / "away");
    land.document->set_thumbnail("a picture");
    land.document->flush();
    EXPECT_EQ(land.document->trouble(), "");
    for (const char* share : {"0.5", "0.6", "0.7"})
        set_layer(*land.document, land.layer, {{"opacity", share}}, "drag");
    // It is written when it is over.
    land.document->seal();
    land.listener.wait_for_trouble();
    land.document->set_thumbnail("another picture");
    // A drag is one change, however many of its states wait.
    EXPECT_EQ(land.document->unwritten().changes, 1);
}

// A picture that comes behind a change, and is dropped when that cannot be written, is waited for by nobody afterwards.
TEST(Unwritten, WhatWasDroppedIsNotWaitedFor) {
    Painted land;
    for (const char* share : {"0.5", "0.6", "0.7", "0.8", "0.9"}) {
        fs::rename(land.home, land.folder / "away");
        set_layer(*land.document, land.layer, {{"opacity", share}});
        land.document->set_thumbnail("a picture");
        EXPECT_THROW(land.document->flush(), Error);
        fs::rename(land.folder / "away", land.home);
        land.document->flush();
        EXPECT_EQ(land.document->trouble(), "");
    }
}

}  // namespace
}  // namespace caprock::test
