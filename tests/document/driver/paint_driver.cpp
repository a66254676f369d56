// A program for tests to kill: it paints on a document from a seed and says what it does, line by line.
//
//     paint_driver paint FILE OTHER SEED DONE PHASE   goes on after DONE commands, and often does PHASE, or never saves: none
//     paint_driver hold FILE                          opens it for writing and waits to be killed
//     paint_driver open FILE [read]                   says whether it can
//     paint_driver open-as-nobody FILE [read]         the same as a user who may write nothing
//     paint_driver full-disk FOLDER fill|limit        disks that get full, in a folder of their own
#include "compute/cpu_device.h"
#include "document/driver/driving.h"
#include "document/driver/full_disk.h"
#include "document/plan.h"
#include "graph/evaluator.h"

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <grp.h>
#include <string>
#include <unistd.h>
#include <utility>

namespace caprock::test {
namespace {

void say(const std::string& line) {
    // At once, and whole: the next moment may be the last.
    std::string text = line + "\n";
    if (::write(1, text.data(), text.size()) < 0) std::_Exit(3);
}

// What an export does: a region after another goes to a file of its own.
void export_heights(Document& document, const std::string& path) {
    RunContext context{make_cpu_device(supported_cpu_levels().back(), 2), nullptr, {}};
    Plan plan(document.snapshot());
    Evaluator evaluator(context);
    std::string part = path + ".part";
    std::FILE* file = std::fopen(part.c_str(), "wb");
    if (!file) throw Error("no export");
    constexpr int rows_at_a_time = 100;
    for (int top = 0; top < driver_side; top += rows_at_a_time) {
        Rect region{0, top, driver_side, top + rows_at_a_time};
        Terrain terrain = evaluator.evaluate(plan, region);
        Field::Rows rows = std::as_const(terrain).height().rows();
        for (int y = region.top; y < region.bottom; y++)
            std::fwrite(rows[y], sizeof(float), size_t(region.width()), file);
    }
    std::fclose(file);
    std::rename(part.c_str(), path.c_str());
}

class Painting {
  public:
    Painting(std::string path, std::string other, uint64_t seed, int64_t done, std::string phase)
        : path_(std::move(path)),
          other_(std::move(other)),
          seed_(seed),
          done_(done),
          phase_(std::move(phase)) {
        DocumentOptions options;
        // Small: what is painted waits, and the driver with it.
        options.memory = 64 << 20;
        document_ = Document::open(path_, options);
        if (document_->read_only()) throw Error("read only");
    }

    [[noreturn]] void go_on() {
        say("open");
        for (int round = 1;; round++) {
            one_command();
            if (round % 4 == 0) once(phase_);
            if (round % 23 == 0 && phase_ != "none") once("save");
        }
    }

  private:
    void one_command() {
        DriverCommand command = driver_command(seed_, ++done_);
        say("begin command");
        int64_t number = do_command(*document_, command);
        say(fmt::format("done {} {:016x}", done_, fingerprint(painted_field(*document_))));
        if (number > 0) waiting_.emplace_back(number, done_);
        report();
    }

    // A change that is on disk has all those before it there.
    void report() {
        int64_t written = document_->written();
        while (!waiting_.empty() && waiting_.front().first <= written) {
            say(fmt::format("committed {}", waiting_.front().second));
            waiting_.pop_front();
        }
    }

    void once(const std::string& phase) {
        say("begin " + phase);
        if (phase == "save") document_->save();
        if (phase == "compact") document_->compact();
        if (phase == "export") export_heights(*document_, other_ + ".raw");
        if (phase == "save_as") {
            document_->save_as(other_);
            std::swap(path_, other_);
            say("at " + path_);
        }
        report();
        say("end " + phase);
    }

    std::string path_;
    std::string other_;
    uint64_t seed_;
    int64_t done_;
    std::string phase_;
    std::unique_ptr<Document> document_;
    std::deque<std::pair<int64_t, int64_t>> waiting_;  // numbers of changes, and of commands
};

void become_nobody() {
    constexpr int nobody = 65534;
    if (setgroups(0, nullptr) != 0 || setgid(nobody) != 0 || setuid(nobody) != 0)
        throw Error("still somebody");
}

void try_to_open(const std::string& path, bool read_only) {
    DocumentOptions options;
    options.read_only = read_only;
    options.tell = [](const std::string& message) { say("told " + message); };
    auto document = Document::open(path, options);
    say(fmt::format("{} {:016x}", document->read_only() ? "reading" : "writing",
                    fingerprint(painted_field(*document))));
}

int run(const std::vector<std::string>& words) {
    auto word = [&](size_t index) { return index < words.size() ? words[index] : std::string(); };
    if (word(0) == "paint")
        Painting(word(1), word(2), std::stoull(word(3)), std::stoll(word(4)), word(5)).go_on();
    if (word(0) == "hold") {
        auto document = Document::open(word(1));
        say("open");
        pause();
    }
    if (word(0) == "open-as-nobody") become_nobody();
    if (word(0).starts_with("open")) {
        try_to_open(word(1), word(2) == "read");
        return 0;
    }
    if (word(0) == "full-disk") {
        for (const std::string& line : full_disks(word(1), word(2))) say(line);
        return 0;
    }
    say("unknown words");
    return 2;
}

}  // namespace
}  // namespace caprock::test

int main(int count, char** words) {
    try {
        return caprock::test::run({words + 1, words + count});
    } catch (const caprock::Error& error) {
        caprock::test::say(std::string("refused ") + error.what());
        return 1;
    } catch (const std::exception& error) {
        caprock::test::say(std::string("failed ") + error.what());
        return 4;
    }
}
