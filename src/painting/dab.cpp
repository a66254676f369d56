#include "painting/dab.h"

#include "base/mathematics.h"
#include "base/random.h"

#include <algorithm>
#include <cmath>

namespace caprock {

namespace {

// As kernels/dab.h has them.
constexpr size_t entry_length = 8;

// What the random numbers of a place decide.
enum Purpose : uint32_t { turn_by, shrink_by, scatter_way, scatter_far };

}  // namespace

Rect Dab::cells() const {
    auto whole = [](double cell) { return int(std::floor(std::clamp(cell, -1e8, 1e8))); };
    return {whole(x - radius), whole(y - radius), whole(x + radius) + 2, whole(y + radius) + 2};
}

DabMaker::DabMaker(const BrushSettings& settings, const Grid& grid, uint32_t seed)
    : settings_(settings), grid_(grid), seed_(seed), pass_(std::max(settings.shape().integral(), 1e-6)) {
    // The steepest that the falloff gets: between two dabs, less than a third of the weight may be lost.
    Falloff shape = settings.shape();
    double steepest = 0;
    constexpr int steps = 256;
    for (int i = 0; i < steps; i++)
        steepest =
            std::max(steepest, std::abs(shape.at((i + 1.0) / steps) - shape.at(double(i) / steps)) * steps);
    close_ = std::clamp(3 / std::max(steepest, 1e-6), 0.1, 1.0);
}

double DabMaker::radius(const PenSample& pen) const {
    // A brush that vanishes, or is finer than cells are, would have no end of dabs.
    double share = std::max(along_curve(settings_.pressure_radius, pen.pressure), 0.02);
    return std::max(settings_.radius * share, grid_.cell / 2);
}

double DabMaker::spacing(const PenSample& pen) const { return settings_.spacing * close_ * radius(pen); }

void DabMaker::add(const PathPlace& place, std::vector<Dab>& dabs) {
    const PenSample& pen = place.pen;
    uint32_t number = places_++;
    auto chance = [&](Purpose purpose) { return unit(hashed(seed_, number, purpose)); };
    Dab dab;
    double radius = this->radius(pen);
    double strength = along_curve(settings_.pressure_strength, pen.pressure);
    // So much that a straight pass lays down 1 in its middle, in however many dabs. A click lays down all of it.
    dab.weight = strength * (place.length > 0 ? place.length / (pass_ * radius) : 1);
    if (settings_.size_jitter > 0) radius *= 1 - settings_.size_jitter * chance(shrink_by);
    dab.radius = std::max(radius / grid_.cell, 0.5);
    dab.falloff = settings_.falloff * std::max(along_curve(settings_.pressure_falloff, pen.pressure), 0.01);
    double turn = settings_.tip_angle * pi / 180;
    if (settings_.turn_jitter > 0) turn += settings_.turn_jitter * pi / 180 * (2 * chance(turn_by) - 1);
    double along_x = settings_.tip_follows ? place.ahead_x : 1;
    double along_y = settings_.tip_follows ? place.ahead_y : 0;
    dab.tip_x = along_x * cosine(turn) - along_y * sine(turn);
    dab.tip_y = along_x * sine(turn) + along_y * cosine(turn);
    dab.ahead_x = place.ahead_x;
    dab.ahead_y = place.ahead_y;
    dab.pressure = pen.pressure;
    dab.tilt = std::sqrt(pen.tilt_x * pen.tilt_x + pen.tilt_y * pen.tilt_y);
    double x = pen.x;
    double y = pen.y;
    if (number > 0) {
        dab.move_x = pen.x - before_.x;
        dab.move_y = pen.y - before_.y;
    }
    before_ = pen;
    if (settings_.scatter > 0) {
        double way = 2 * pi * chance(scatter_way);
        double far = settings_.scatter * settings_.radius * std::sqrt(chance(scatter_far));
        x += far * cosine(way);
        y += far * sine(way);
    }

    auto [middle_x, middle_y] = grid_.middle_of(grid_.extent);
    if (!settings_.symmetry_centre.empty()) {
        middle_x = settings_.symmetry_centre[0];
        middle_y = settings_.symmetry_centre[1];
    }
    // The place relative to the middle becomes (xx x + xy y, yx x + yy y), and so do directions.
    auto put = [&](double xx, double xy, double yx, double yy) {
        Dab image = dab;
        image.x = (middle_x + xx * (x - middle_x) + xy * (y - middle_y)) / grid_.cell;
        image.y = (middle_y + yx * (x - middle_x) + yy * (y - middle_y)) / grid_.cell;
        image.ahead_x = xx * dab.ahead_x + xy * dab.ahead_y;
        image.ahead_y = yx * dab.ahead_x + yy * dab.ahead_y;
        image.move_x = xx * dab.move_x + xy * dab.move_y;
        image.move_y = yx * dab.move_x + yy * dab.move_y;
        image.tip_x = xx * dab.tip_x + xy * dab.tip_y;
        image.tip_y = yx * dab.tip_x + yy * dab.tip_y;
        image.flipped = xx * yy - xy * yx < 0;
        image.number = dabs_++;
        dabs.push_back(image);
    };
    put(1, 0, 0, 1);
    using Symmetry = BrushSettings::Symmetry;
    Symmetry symmetry = settings_.symmetry;
    if (symmetry == Symmetry::across || symmetry == Symmetry::both) put(-1, 0, 0, 1);
    if (symmetry == Symmetry::down || symmetry == Symmetry::both) put(1, 0, 0, -1);
    if (symmetry == Symmetry::both) put(-1, 0, 0, -1);
    if (symmetry == Symmetry::radial)
        for (int i = 1; i < settings_.symmetry_count; i++) {
            double angle = 2 * pi * i / settings_.symmetry_count;
            put(cosine(angle), -sine(angle), sine(angle), cosine(angle));
        }
}

std::vector<float> dab_table(std::span<const Dab> dabs, const BrushSettings& settings, int tip_side,
                             int origin_x, int origin_y, double rate) {
    std::vector<float> table(entry_length * (dabs.size() + 1));
    table[0] = float(dabs.size());
    table[1] = float(settings.power / 2);
    table[2] = float(settings.curve.size());
    table[3] = float(tip_side);
    float* entry = table.data();
    for (const Dab& dab : dabs) {
        entry += entry_length;
        entry[0] = float(dab.x - origin_x);
        entry[1] = float(dab.y - origin_y);
        entry[2] = float(1 / (dab.radius * dab.radius));
        double inner = dab.falloff < 1 ? power(1 - dab.falloff, settings.power) : 0;
        entry[3] = float(1 / (1 - inner));
        entry[4] = float(dab.weight * rate);
        if (tip_side == 0) continue;
        double scale = (tip_side - 1) / (2 * dab.radius);
        entry[5] = float(dab.tip_x * scale);
        entry[6] = float(dab.tip_y * scale);
        entry[7] = dab.flipped ? -1.0f : 1.0f;
    }
    return table;
}

}  // namespace caprock
