// What a long simulation has come to, in a file: a program that was killed goes on from there, to the same bits.
//
// One file has all that it takes: whose it is, the fields that there were before the simulation, and its state after so many
// steps, in two places that are written in turn. Of these one is always whole, whenever the power fails.
#pragma once

#include "field/field.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace caprock {

class Checkpoint {
  public:
    // A field that is written, or was: whole, or part by part where it is larger than memory.
    struct Cells {
        std::string name;
        Rect rect;
        std::function<Field(const Rect&)> read;

        static Cells of(const std::string& name, const Field& field) {
            return {name, field.rect(), [field](const Rect& part) { return field.cropped(part); }};
        }
        Field all() const { return read(rect); }
    };
    using Fields = std::vector<Cells>;

    // Where a simulation is.
    struct State {
        int stage = 0;                // as Simulation::stages counts them
        int step = 0;                 // of that stage, to be taken next
        int done = 0;                 // steps of all stages
        double passed = 0;            // time before the stage
        double cell = 0;              // of the fields
        std::vector<double> counted;  // for the ledger, in the stages before
        Fields fields;
    };

    // `work` says what is computed and from what: a file that says something else is refused (Error), and so is one that is damaged.
    // Where there is none yet, nothing is written before begin().
    Checkpoint(std::string path, std::string work, double seconds);
    ~Checkpoint();
    Checkpoint(const Checkpoint&) = delete;
    Checkpoint& operator=(const Checkpoint&) = delete;

    const std::string& path() const { return path_; }

    // ---- for whoever runs one operation after the other ----
    // The operation to go on with, where the file was there already; and the fields that there were before it.
    std::optional<int> found() const { return found_; }
    Fields fields() const;
    // The operation begins with these fields, and makes so many; those of its state have no more cells than said. Goes on with
    // what was found where that is the one. Throws Error where the file cannot be written.
    void begin(int operation, const Fields& fields, int64_t cells, size_t outputs = 0);
    // The operation has come to its end: what it had saved is of no use.
    void end() { saves_ = false; }
    // All is done. The file goes.
    void remove();

    // ---- for whoever takes the steps ----
    // Where to go on; nothing for a simulation that begins. Only for the first that asks.
    std::optional<State> taken();
    bool due() const;
    // Throws Error.
    void save(const State& state);
    // The same, but what cannot be written is told, and no more is saved: what is being computed is worth more than what it could
    // begin with again.
    void save_or_go_on(const State& state, const std::function<void(const std::string&)>& tell);

  private:
    class File;
    struct Layout;
    void read();
    Cells cells_at(const std::string& name, const Rect& rect, uint64_t offset) const;

    std::string path_;
    std::string work_;
    double seconds_;
    std::shared_ptr<File> file_;
    std::unique_ptr<Layout> layout_;
    std::optional<int> found_;
    std::optional<State> state_;  // that was found
    uint64_t saved_ = 0;          // how often
    double last_ = 0;
    bool saves_ = false;
};

}  // namespace caprock
