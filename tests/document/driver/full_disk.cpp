#include "document/driver/full_disk.h"

#include "document/driver/driving.h"
#include "document/verify.h"

#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <set>
#include <stdexcept>
#include <sys/resource.h>
#include <unistd.h>

namespace caprock::test {

namespace {

namespace fs = std::filesystem;

class Disk {
  public:
    Disk(std::string folder, bool limits) : folder_(std::move(folder)), limits_(limits) {
        if (limits_) std::signal(SIGXFSZ, SIG_IGN);
    }
    ~Disk() { make_room(); }

    // But for so many bytes.
    void fill(int left = 0) {
        // Enough for the heads of files, which no disk that is in use would refuse.
        if (limits_) return set_limit(rlim_t(20000 + left));
        int file = ::open(filler().c_str(), O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
        std::vector<char> bytes(4096, 'x');
        off_t size = 0;
        while (::write(file, bytes.data(), bytes.size()) > 0) size += off_t(bytes.size());
        if (::ftruncate(file, std::max<off_t>(0, size - left)) != 0) throw std::runtime_error("no room left");
        ::close(file);
    }
    void make_room() {
        if (limits_) return set_limit(RLIM_INFINITY);
        std::remove(filler().c_str());
    }
    std::string operator/(const std::string& name) const { return folder_ + "/" + name; }
    std::set<std::string> names() const {
        std::set<std::string> all;
        for (const auto& entry : fs::directory_iterator(folder_))
            all.insert(entry.path().filename().string());
        all.erase("filler");
        return all;
    }

  private:
    std::string filler() const { return folder_ + "/filler"; }
    static void set_limit(rlim_t most) {
        rlimit limit{};
        getrlimit(RLIMIT_FSIZE, &limit);
        limit.rlim_cur = std::min(most, limit.rlim_max);
        setrlimit(RLIMIT_FSIZE, &limit);
    }

    std::string folder_;
    bool limits_;
};

constexpr uint64_t seed = never_forgets | 11;

struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

void require(bool holds, const std::string& what) {
    if (!holds) throw Failure(what);
}

void require_full(const std::function<void()>& action, const std::string& what) {
    try {
        action();
    } catch (const Error& error) {
        require(std::string(error.what()).find("the disk is full") != std::string::npos,
                what + " says '" + error.what() + "'");
        return;
    }
    throw Failure(what + " did not notice");
}

// A document, what it should be, and the disk they are on.
class Case {
  public:
    Case(Disk& disk, const std::string& name, uint64_t memory = 0)
        : disk(disk), path(disk / (name + ".caprock")), document(made_for_driver(path, memory)), model(seed) {
        for (int i = 0; i < 12; i++) go_on();
        document->flush();
    }

    // The next command of the seed, to both.
    void go_on() {
        do_command(*document, driver_command(seed, model.done() + 1));
        model.next();
    }
    void go_on_to(DriverCommand::Kind kind) {
        while (driver_command(seed, model.done() + 1).kind != kind) go_on();
    }

    void require_intact(const std::string& when) {
        std::string difference = difference_from(*document, model);
        require(difference.empty(), when + ": " + difference);
    }
    void require_sound(const std::string& when) {
        VerifyReport report = verify_project(document->path());
        require(report.sound(), when + ": " + (report.sound() ? "" : report.problems.front()));
    }
    // Everything is in the file, as somebody else finds it.
    void require_written(const std::string& when) {
        document->flush();
        require(document->trouble().empty(), when + ": still in trouble");
        require_intact(when);
        require_sound(when);
        DocumentOptions options;
        options.read_only = true;
        auto other = Document::open(document->path(), options);
        std::string difference = difference_from(*other, model);
        require(difference.empty(), when + ", in the file: " + difference);
    }

    Disk& disk;
    std::string path;
    std::unique_ptr<Document> document;
    DriverModel model;
};

void stroke_and_undo(Disk& disk) {
    Case on(disk, "stroke");
    on.go_on_to(DriverCommand::Kind::stroke);
    on.document->flush();
    disk.fill();
    on.go_on();
    require_full([&] { on.document->flush(); }, "flush after a stroke");
    require(on.document->trouble() == "the disk is full", "trouble is '" + on.document->trouble() + "'");
    on.require_intact("after the stroke");
    // More of everything, undone and done again: all of it waits.
    int undone = 0;
    for (int i = 0; i < 12; i++) {
        undone += driver_command(seed, on.model.done() + 1).kind == DriverCommand::Kind::undo;
        on.go_on();
    }
    require(undone > 0, "nothing was undone");
    require_full([&] { on.document->flush(); }, "flush after an undo");
    on.require_intact("while it waits");
    on.require_sound("while it waits");
    disk.make_room();
    on.require_written("with room again");
}

void save(Disk& disk) {
    Case on(disk, "save");
    disk.fill();
    on.go_on_to(DriverCommand::Kind::stroke);
    on.go_on();
    require_full([&] { on.document->save(); }, "save");
    on.require_intact("after save");
    on.require_sound("after save");
    disk.make_room();
    on.document->save();
    on.require_written("with room again");
}

void compact(Disk& disk) {
    Case on(disk, "compact");
    disk.fill();
    require_full([&] { on.document->compact(); }, "compact");
    on.require_intact("after compact");
    on.require_sound("after compact");
    disk.make_room();
    on.document->compact();
    on.require_written("with room again");
}

void save_as(Disk& disk) {
    Case on(disk, "save_as");
    std::set<std::string> before = disk.names();
    disk.fill();
    require_full([&] { on.document->save_as(disk / "copy.caprock"); }, "save_as");
    require(disk.names() == before, "save_as left something");
    require(on.document->path() == on.path, "save_as has moved the document");
    on.require_intact("after save_as");
    on.require_sound("after save_as");
    disk.make_room();
    on.document->save_as(disk / "copy.caprock");
    on.go_on();
    on.require_written("with room again");
}

// Somewhere on the way, wherever that is: done or not, but not by half.
template <typename Action>
void at_every_point(Disk& disk, const std::string& what, const Action& action) {
    int done = 0;
    int refused = 0;
    for (int left = 0; left < 12'000'000 && done < 3; left += 4096 + left / 3) {
        disk.fill(left);
        bool full = false;
        try {
            action();
        } catch (const Error& error) {
            full = true;
            require(std::string(error.what()).find("the disk is full") != std::string::npos,
                    what + " says '" + error.what() + "'");
        }
        disk.make_room();
        (full ? refused : done)++;
    }
    require(done > 0 && refused > 0, fmt::format("{}: {} done, {} refused", what, done, refused));
}

void compact_at_every_point(Disk& disk) {
    Case on(disk, "points");
    at_every_point(disk, "compact", [&] { on.document->compact(); });
    on.require_written("with room again");
}

void save_as_at_every_point(Disk& disk) {
    Case on(disk, "copies");
    int copies = 0;
    at_every_point(disk, "save_as", [&] {
        std::string name = fmt::format("copy{}.caprock", ++copies);
        std::set<std::string> before = disk.names();
        try {
            on.document->save_as(disk / name);
        } catch (const Error&) {
            // Complete, or not there.
            bool there = fs::exists(disk / name);
            disk.make_room();
            if (there) require(verify_project(disk / name).sound(), name + " is not sound");
            if (!there) require(disk.names() == before, "save_as left something");
            throw;
        }
    });
    on.require_written("with room again");
}

void creation_at_every_point(Disk& disk) {
    at_every_point(disk, "creation", [&] {
        try {
            Document::create(disk / "some.caprock", Grid{driver_rect(), 4, {0, 300}});
        } catch (const Error&) {
            require(!fs::exists(disk / "some.caprock"), "a file that could not be made is there");
            throw;
        }
        disk.make_room();
        require(verify_project(disk / "some.caprock").sound(), "it is not sound");
        fs::remove(disk / "some.caprock");
    });
}

void creation(Disk& disk) {
    std::set<std::string> before = disk.names();
    disk.fill();
    require_full([&] { made_for_driver(disk / "new.caprock"); }, "creation");
    require(disk.names() == before, "creation left something");
    disk.make_room();
    made_for_driver(disk / "new.caprock");
    require(verify_project(disk / "new.caprock").sound(), "it is not sound");
}

// No more than fits into memory is taken, and what is not taken has not happened.
void too_much_waits(Disk& disk) {
    Case on(disk, "waiting", 16 << 20);
    disk.fill();
    bool refused = false;
    for (int i = 0; i < 200 && !refused; i++) {
        try {
            on.go_on();
        } catch (const Error& error) {
            refused = true;
            std::string words = error.what();
            require(words.find("wait to be written") != std::string::npos &&
                        words.find("the disk is full") != std::string::npos,
                    "it says '" + words + "'");
        }
    }
    require(refused, "everything was taken");
    on.require_intact("after it was refused");
    disk.make_room();
    on.document->flush();
    on.go_on();
    on.require_written("with room again");
}

// What could not be written by then is gone with the program, and nothing else.
void end_of_the_program(Disk& disk) {
    Case on(disk, "end");
    DriverModel before = on.model;
    on.go_on_to(DriverCommand::Kind::stroke);
    on.document->flush();
    before = on.model;
    disk.fill();
    on.go_on();
    on.document.reset();
    disk.make_room();
    require(verify_project(on.path).sound(), "the file is not sound");
    auto again = Document::open(on.path);
    std::string difference = difference_from(*again, before);
    require(difference.empty(), difference);
}

}  // namespace

std::vector<std::string> full_disks(const std::string& folder, const std::string& way) {
    Disk disk(folder, way == "limit");
    const std::vector<std::pair<const char*, void (*)(Disk&)>> all = {
        {"stroke and undo", stroke_and_undo},
        {"save", save},
        {"compact", compact},
        {"compact at every point", compact_at_every_point},
        {"save_as", save_as},
        {"save_as at every point", save_as_at_every_point},
        {"creation", creation},
        {"creation at every point", creation_at_every_point},
        {"too much waits", too_much_waits},
        {"the end of the program", end_of_the_program},
    };
    std::vector<std::string> lines;
    for (const auto& [name, attempt] : all) {
        try {
            attempt(disk);
            lines.push_back(std::string("ok ") + name);
        } catch (const std::exception& error) {
            lines.push_back(fmt::format("failed {}: {}", name, error.what()));
        }
        disk.make_room();
        for (const std::string& left : disk.names()) fs::remove(disk / left);
    }
    return lines;
}

}  // namespace caprock::test
