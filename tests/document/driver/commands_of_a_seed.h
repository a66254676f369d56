// What the driver does to a document, command after command, from a seed; and the same on plain arrays, without any of
// the document's code, to know what must be there.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace caprock::test {

constexpr int driver_side = 600;

inline uint64_t mixed(uint64_t seed, uint64_t purpose) {
    uint64_t h = seed * 0x9e3779b97f4a7c15u + purpose * 0xbf58476d1ce4e5b9u;
    h ^= h >> 30;
    h *= 0xbf58476d1ce4e5b9u;
    h ^= h >> 27;
    h *= 0x94d049bb133111ebu;
    return h ^ (h >> 31);
}

struct DriverCommand {
    enum class Kind { stroke, undo, redo, opacity, forget };
    Kind kind = Kind::stroke;
    int x = 0, y = 0, radius = 0;
    float height = 0;
    std::string title;
    std::string opacity;
};

// A part of seeds whose commands never forget the history.
constexpr uint64_t never_forgets = uint64_t(1) << 63;

inline DriverCommand driver_command(uint64_t seed, int64_t number) {
    uint64_t random = mixed(seed, uint64_t(number));
    DriverCommand command;
    int choice = int(random % 100);
    using Kind = DriverCommand::Kind;
    command.kind = choice < 60                             ? Kind::stroke
                   : choice < 76                           ? Kind::undo
                   : choice < 87                           ? Kind::redo
                   : choice < 97 || (seed & never_forgets) ? Kind::opacity
                                                           : Kind::forget;
    command.x = int(mixed(random, 1) % driver_side);
    command.y = int(mixed(random, 2) % driver_side);
    command.radius = 5 + int(mixed(random, 3) % 60);
    command.height = 1 + float(mixed(random, 4) % 1000) / 50;
    command.title = "command " + std::to_string(number);
    command.opacity = "0." + std::to_string(10 + mixed(random, 5) % 90);
    return command;
}

// One cell under a brush; missing where nobody has painted.
inline float painted_cell(float before, int x, int y, const DriverCommand& stroke) {
    int away = (x - stroke.x) * (x - stroke.x) + (y - stroke.y) * (y - stroke.y);
    int reach = stroke.radius * stroke.radius;
    if (away >= reach) return before;
    float rough = float(mixed(uint64_t(x) << 32 | uint64_t(uint32_t(y)), 7) % 1024) / 1024;
    float added = stroke.height * (1 - float(away) / float(reach)) * (0.5f + rough);
    return std::isnan(before) ? added : before + added;
}

// Everything the commands have made so far.
class DriverModel {
  public:
    explicit DriverModel(uint64_t seed) : seed_(seed) {}

    int64_t done() const { return done_; }
    int64_t position() const { return position_; }
    int64_t entries() const { return int64_t(steps_.size()); }
    const std::string& opacity() const { return opacity_; }
    // Of the entry that would be undone next.
    std::string title() const { return position_ > 0 ? steps_[size_t(position_) - 1].title : ""; }
    const std::vector<float>& cells() const { return cells_; }

    void next() {
        done_++;
        DriverCommand command = driver_command(seed_, done_);
        switch (command.kind) {
            case DriverCommand::Kind::stroke: {
                Step step{command.title, {}, {}, opacity_, opacity_};
                step.before = cells_;
                for (int y = 0; y < driver_side; y++)
                    for (int x = 0; x < driver_side; x++) {
                        float& cell = cells_[size_t(y) * driver_side + size_t(x)];
                        cell = painted_cell(cell, x, y, command);
                    }
                step.after = cells_;
                push(std::move(step));
                break;
            }
            case DriverCommand::Kind::opacity:
                if (command.opacity == opacity_) break;
                push({"", {}, {}, opacity_, command.opacity});
                opacity_ = command.opacity;
                break;
            case DriverCommand::Kind::undo:
                if (position_ == 0) break;
                position_--;
                if (!steps_[size_t(position_)].before.empty()) cells_ = steps_[size_t(position_)].before;
                opacity_ = steps_[size_t(position_)].opacity_before;
                break;
            case DriverCommand::Kind::redo:
                if (position_ == entries()) break;
                if (!steps_[size_t(position_)].after.empty()) cells_ = steps_[size_t(position_)].after;
                opacity_ = steps_[size_t(position_)].opacity_after;
                position_++;
                break;
            case DriverCommand::Kind::forget:
                steps_.clear();
                position_ = 0;
                break;
        }
    }

  private:
    struct Step {
        std::string title;
        std::vector<float> before, after;
        std::string opacity_before, opacity_after;
    };
    void push(Step step) {
        steps_.resize(size_t(position_));
        steps_.push_back(std::move(step));
        position_++;
    }

    uint64_t seed_;
    int64_t done_ = 0;
    std::vector<float> cells_ =
        std::vector<float>(size_t(driver_side) * driver_side, std::numeric_limits<float>::quiet_NaN());
    std::string opacity_ = "1";
    std::vector<Step> steps_;
    int64_t position_ = 0;
};

}  // namespace caprock::test
