// Small operations for tests: one of every reach, one with a parameter of every kind, some made of others.
// sample_registrations.h registers them.
#pragma once

#include "base/error.h"
#include "compute/cpu_device.h"
#include "operation/evaluate.h"
#include "operation/operation.h"
#include "support/fields.h"
#include "support/operations.h"

#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace caprock::test {

using Messages = std::vector<std::string>;

// Runs on the CPU, and keeps what the user is told.
struct Context : RunContext {
    Messages told;

    Context() {
        device = make_cpu_device(chosen_cpu_level(), 2);
        tell = [this](const std::string& message) { told.push_back(message); };
    }
    Context(const Context&) = delete;
};

const Rect odd_extent{-7, -5, 24, 18};  // 31 x 23 cells on both sides of zero

// What an action refuses with; "(no error)" when it does not.
inline std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "(no error)";
}

inline bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// A terrain whose cells are all different and nowhere simple, so that a cell taken from the wrong place
// shows.
inline Terrain terrain_over(const Rect& extent) {
    Terrain terrain(Grid{extent, 2, {0, 100}});
    terrain.set("height", made_field(extent, [](int x, int y) {
                    return float(std::fmod(x * 12.9898 + y * 78.233 + double(x) * y * 0.37, 17.0));
                }));
    return terrain;
}

enum class Shape { round, square, star };

struct AllKinds {
    double number = 2.5;
    int integer = 3;
    bool flag = true;
    Shape shape = Shape::square;
    uint32_t seed = 7;
    Interval interval{1, 350};
    std::vector<double> table{0.25, 0.5};
    std::vector<std::string> words{"talc", "gypsum"};
    std::string text = "some text";
    std::string file;  // optional
    std::string field = "height";

    static constexpr int version = 3;
    void describe(Declaration& d) const {
        d.summary("has a parameter of every kind");
        d.source("nowhere");
        d.number("number", number).range(0, 10).slider(1, 5).unit("m").help("a number").letter('n');
        d.integer("integer", integer).range(1, 32);
        d.flag("flag", flag);
        d.choice("shape", shape, {"round", "square", "star"});
        d.seed("seed", seed);
        d.interval("interval", interval).range(0, 500).unit("m");
        d.table("table", table).range(-1, 1);
        d.words("words", words);
        d.text("text", text);
        d.file("file", file);
        d.field("field", field);
        d.makes(field);
    }
    Reach reach(const Grid&) const { return Reach::point(); }
    void run(Work& work) const { work.terrain().set(field, Field(work.rect(), float(number))); }
};

// A generator: the tilted plane 3 x - 2 y.
struct Tilted {
    void describe(Declaration& d) const { d.makes("height"); }
    Reach reach(const Grid&) const { return Reach::point(); }
    void run(Work& work) const {
        work.terrain().set("height",
                           made_field(work.rect(), [](int x, int y) { return float(3 * x - 2 * y); }));
    }
};

// The average of all cells up to `radius` away, summed in a fixed order.
struct Averaged {
    int radius = 2;
    int claimed = -1;  // a reach that is not the true one, to show that tests notice

    void describe(Declaration& d) const {
        d.integer("radius", radius).range(0, 100);
        d.integer("claimed", claimed);
        d.changes("height");
    }
    Reach reach(const Grid&) const { return Reach::area(claimed < 0 ? radius : claimed); }
    void run(Work& work) const {
        Field before = work.terrain().height();
        Field::Rows rows = before.rows();
        const Rect& all = work.rect();
        work.terrain().set("height", made_field(all, [&](int x, int y) {
                               Rect near = Rect{x, y, x + 1, y + 1}.expanded(radius).intersected(all);
                               float sum = 0;
                               for (int v = near.top; v < near.bottom; v++)
                                   for (int u = near.left; u < near.right; u++) sum += rows[v][u - all.left];
                               return sum / float(near.cells());
                           }));
    }
};

// Averages over neighbours, many times.
struct Spreading {
    int steps = 4;
    int claimed = -1;

    void describe(Declaration& d) const {
        d.integer("steps", steps).range(0, 1000);
        d.integer("claimed", claimed);
        d.changes("height");
    }
    Reach reach(const Grid&) const { return Reach::steps(1, claimed < 0 ? steps : claimed); }
    void run(Work& work) const {
        work.progress().expect(work.rect().cells() * std::max(steps, 1));
        for (int step = 0; step < steps; step++) {
            Averaged{1}.run(work);
            work.progress().advance(work.rect().cells());
        }
    }
};

// Subtracts the highest cell of all.
struct Sunk {
    void describe(Declaration& d) const { d.changes("height"); }
    Reach reach(const Grid&) const { return Reach::whole(); }
    void run(Work& work) const {
        Field height = work.terrain().height();
        float highest = statistics(height).high;
        work.terrain().set("height",
                           made_field(work.rect(), [&](int x, int y) { return height.at(x, y) - highest; }));
    }
};

// Two kernels: height becomes 2^height / height.
struct Launched {
    void describe(Declaration& d) const { d.changes("height"); }
    Reach reach(const Grid&) const { return Reach::point(); }
    void run(Work& work) const;
};

// Goes wrong in the way it is told to, after having changed the terrain.
struct Failing {
    std::string how = "error";

    void describe(Declaration& d) const {
        d.text("how", how);
        d.changes("height");
        d.reads_if_there("hardness");
    }
    Reach reach(const Grid&) const { return Reach::point(); }
    void run(Work& work) const {
        work.terrain().set("height", Field(work.rect(), -1));
        work.warn("about to fail");
        if (how == "error") throw Error("this cannot be done");
        if (how == "memory") throw OutOfMemory("this does not fit");
        if (how == "new") throw std::bad_alloc();
        if (how == "cancel") {
            work.progress().cancel();
            work.progress().advance(1);
        }
    }
};

// Adds to the heights, and more where a file says so: its first letter. Counts its runs by label.
struct Counted {
    std::string label = "a";
    double amount = 1;
    InputFile file{1000, "that is too long"};

    static inline std::map<std::string, int> runs;
    // What else is to happen in a run of that label; for tests to set and to clear.
    static inline std::function<void(const std::string& label, Work& work)> also;

    void describe(Declaration& d) const {
        d.text("label", label);
        d.number("amount", amount).range(-1000, 1000);
        d.file("file", file);
        d.changes("height");
    }
    Reach reach(const Grid&) const { return Reach::point(); }
    void run(Work& work) const {
        runs[label]++;
        if (also) also(label, work);
        float added = float(amount);
        if (file.named()) added += float(file.text().at(0));
        const Field height = work.terrain().height();
        work.terrain().set(
            "height", made_field(work.rect(), [&](int x, int y) { return 1.5f * height.at(x, y) + added; }));
    }
};

// ---- made of others --------------------------------------------------------------------------------------

// Keeps the heights as they are for later.
struct Marked {
    void describe(Declaration& d) const {
        d.reads("height");
        d.makes("mark");
    }
    Reach reach(const Grid&) const { return Reach::point(); }
    void run(Work& work) const { work.terrain().set("mark", work.terrain().height()); }
};

// Adds what was marked to what has become of it.
struct Raised {
    void describe(Declaration& d) const {
        d.changes("height");
        d.reads("mark");
    }
    Reach reach(const Grid&) const { return Reach::point(); }
    void run(Work& work) const {
        Field height = work.terrain().height();
        const Field mark = work.terrain().field("mark");
        work.terrain().set(
            "height", made_field(work.rect(), [&](int x, int y) { return height.at(x, y) + mark.at(x, y); }));
    }
};

// Heights and what they are averaged over `radius` and then spread, added up.
struct Composed {
    int radius = 1;
    int steps = 2;

    void describe(Declaration& d) const {
        d.integer("radius", radius).range(0, 100);
        d.integer("steps", steps).range(0, 1000);
        d.changes("height");
    }
    Parts parts(const Grid&) const {
        return parts_of(make_operation("test-mark"), operation_with("test-average", {{"radius", radius}}),
                        operation_with("test-spread", {{"steps", steps}}), make_operation("test-add-mark"));
    }
};

// Made of one that is made of others itself.
struct Nested {
    int radius = 2;
    std::string last = "test-launch";

    void describe(Declaration& d) const {
        d.integer("radius", radius).range(0, 200);  // more than its part takes
        d.text("last", last);
        d.makes("height");
    }
    Parts parts(const Grid&) const {
        return parts_of(make_operation("test-tilt"), operation_with("test-compose", {{"radius", radius}}),
                        make_operation(last));
    }
};

// Two counted steps between a mark and its use, and one before that is made of others itself.
struct CountedTogether {
    double first = 1;
    double second = 2;

    void describe(Declaration& d) const {
        d.number("first", first).range(-10, 10);
        d.number("second", second).range(-10, 10);
        d.changes("height");
    }
    Parts parts(const Grid&) const {
        return parts_of(make_operation("test-compose"), make_operation("test-mark"),
                        operation_with("test-count", {{"label", "first"}, {"amount", first}}),
                        operation_with("test-count", {{"label", "second"}, {"amount", second}}),
                        make_operation("test-add-mark"));
    }
};

}  // namespace caprock::test
