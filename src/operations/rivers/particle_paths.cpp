#include "operations/rivers/particle_paths.h"

#include "base/error.h"
#include "base/mathematics.h"
#include "base/random.h"
#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace caprock {

namespace {

// What a particle's random numbers decide.
enum ParticlePurpose : uint32_t {
    start_across = 32,
    start_share,
    own_velocity,
    own_angle,
    own_rotation,
    own_phase,
    own_offset,
    own_radius
};

Place of_length_one(const Place& p) {
    double length = std::sqrt(p.x * p.x + p.y * p.y);
    return {p.x / length, p.y / length};
}

Place ahead_of(double direction) { return {sine(direction * degree), -cosine(direction * degree)}; }

}  // namespace

double distance(const Place& a, const Place& b) {
    double x = b.x - a.x;
    double y = b.y - a.y;
    return std::sqrt(x * x + y * y);
}

Course Course::straight(const Place& from, double direction) {
    Place ahead = ahead_of(direction);
    Course course = through({from, {from.x + ahead.x, from.y + ahead.y}});
    course.endless_ = true;
    return course;
}

Course Course::through(const std::vector<Place>& points) {
    Course course;
    course.points_ = points;
    std::vector<Place> lines;
    course.distances_ = {0};
    for (size_t i = 1; i < points.size(); i++) {
        lines.push_back(of_length_one({points[i].x - points[i - 1].x, points[i].y - points[i - 1].y}));
        course.distances_.push_back(course.distances_.back() + distance(points[i - 1], points[i]));
    }
    course.ahead_.push_back(lines.front());
    for (size_t i = 1; i < lines.size(); i++) {
        Place sum{lines[i - 1].x + lines[i].x, lines[i - 1].y + lines[i].y};
        // A line that turns straight back has nothing between.
        bool back = sum.x * sum.x + sum.y * sum.y < 1e-12;
        course.ahead_.push_back(back ? lines[i] : of_length_one(sum));
    }
    course.ahead_.push_back(lines.back());
    return course;
}

double Course::length() const {
    return endless_ ? std::numeric_limits<double>::infinity() : distances_.back();
}

Course::Beside Course::at(double along, double across) const {
    auto next = std::upper_bound(distances_.begin() + 1, distances_.end() - 1, along);
    size_t end = size_t(next - distances_.begin());
    size_t begin = end - 1;
    double share = (along - distances_[begin]) / (distances_[end] - distances_[begin]);
    auto between = [&](const Place& a, const Place& b, double by) {
        return Place{a.x + (b.x - a.x) * by, a.y + (b.y - a.y) * by};
    };
    Place on = between(points_[begin], points_[end], share);
    Place way = between(ahead_[begin], ahead_[end], std::clamp(share, 0.0, 1.0));
    // Between a hairpin's ends there may be no direction left.
    Place ahead = way.x * way.x + way.y * way.y < 1e-12 ? ahead_[end] : of_length_one(way);
    return {{on.x - ahead.y * across, on.y + ahead.x * across}, ahead};
}

Place middle_of_side(const Grid& grid, double direction) {
    const Rect& extent = grid.extent;
    Place ahead = ahead_of(direction);
    double half_width = (extent.width() - 1) / 2.0 * grid.cell;
    double half_height = (extent.height() - 1) / 2.0 * grid.cell;
    // Back from the centre, as far as the first border.
    double back = std::min(half_width / std::max(std::abs(ahead.x), 1e-9),
                           half_height / std::max(std::abs(ahead.y), 1e-9));
    return {extent.left * grid.cell + half_width - ahead.x * back,
            extent.top * grid.cell + half_height - ahead.y * back};
}

namespace {

// One particle on its way, in metres.
class Particle {
  public:
    Particle(const Course& course, const Particles& all, uint32_t index) : course_(course) {
        auto random = [&](uint32_t purpose) { return unit(hashed(all.seed, index, purpose)); };
        auto drawn = [&](const Interval& interval, uint32_t purpose) {
            return interval.low + interval.span() * random(purpose);
        };
        velocity_ = drawn(all.velocity, own_velocity);
        double angle = drawn(all.angle, own_angle) * degree;
        double rotation = drawn(all.rotation, own_rotation) * degree;
        double phase = drawn(all.phase, own_phase) * degree;
        offset_ = drawn(all.offset, own_offset);
        radius_ = drawn(all.radius, own_radius);
        forward_ = velocity_ * cosine(angle);
        aside_ = velocity_ * sine(angle);
        turn_ = {cosine(rotation), sine(rotation)};
        // In the window it is as far as its phase around the pivot. Its first step ends any part of a step later: else
        // the steps of all particles would lie on each other.
        double before = random(start_share) - 1;
        along_ = -offset_ * cosine(phase) + before * forward_;
        across_ = -offset_ * sine(phase) + all.window * (random(start_across) - 0.5) + before * aside_;
        went_ = along_;
        arm_ = {cosine(phase + before * rotation), sine(phase + before * rotation)};
        move_to_place();
        step();
    }

    // Equation 1.
    void step() {
        went_ += velocity_;
        along_ += forward_;
        across_ += aside_;
        arm_ = {arm_.x * turn_.x - arm_.y * turn_.y, arm_.y * turn_.x + arm_.x * turn_.y};
        Place before = place_;
        move_to_place();
        length_ = distance(before, place_);
    }

    double radius() const { return radius_; }
    double reach() const { return offset_ + radius_; }
    double length() const { return length_; }
    const Place& place() const { return place_; }
    const Place& pivot() const { return pivot_; }
    // By the way it went: one that strays far aside hardly gets along.
    bool at_end() const { return went_ > course_.length(); }

  private:
    void move_to_place() {
        Course::Beside beside = course_.at(along_, across_);
        const Place& ahead = beside.ahead;
        pivot_ = beside.place;
        place_ = {pivot_.x + offset_ * (arm_.x * ahead.x - arm_.y * ahead.y),
                  pivot_.y + offset_ * (arm_.x * ahead.y + arm_.y * ahead.x)};
    }

    const Course& course_;
    double velocity_, offset_, radius_;
    double forward_, aside_;  // of the pivot, in a step
    Place turn_;              // cosine and sine of the rotation in a step
    double along_, across_;   // of the pivot
    double went_;             // as along, by the velocity alone
    Place arm_;               // cosine and sine of the angle from what is ahead
    Place pivot_{}, place_{};
    double length_ = 0;
};

}  // namespace

std::vector<ParticleStep> particle_paths(const Grid& grid, const Field& height, const Course& course,
                                         const Particles& particles, Progress& progress) {
    const Rect& extent = grid.extent;
    const Field::Rows rows = height.rows();
    const bool endless = std::isinf(course.length());
    std::vector<ParticleStep> steps;
    // How far a place is outside, in cells.
    auto outside = [&](double x, double y) {
        return std::max({extent.left - x, x - (extent.right - 1), extent.top - y, y - (extent.bottom - 1)});
    };
    for (uint32_t index = 0; index < uint32_t(particles.count); index++) {
        if (index % 64 == 0) progress.check();
        double lowest = std::numeric_limits<double>::infinity();
        double rise = 0;
        for (Particle particle(course, particles, particles.first + index);
             !particle.at_end() && rise <= particles.climb; particle.step()) {
            // A line may come back.
            if (endless && outside(particle.pivot().x / grid.cell, particle.pivot().y / grid.cell) >
                               particle.reach() / grid.cell)
                break;
            double x = particle.place().x / grid.cell;
            double y = particle.place().y / grid.cell;
            float ground = missing;
            if (outside(x, y) <= 0)
                ground = rows[int(std::floor(y + 0.5))][int(std::floor(x + 0.5)) - extent.left];
            if (std::isfinite(ground)) {
                lowest = std::min(lowest, double(ground));
                rise = double(ground) - lowest;
            }
            // Around a pivot near the border it may be too far outside to touch anything.
            if (outside(x, y) >= particle.radius() / grid.cell) continue;
            steps.push_back({x, y, float(particle.radius() / grid.cell), float(particle.length() / grid.cell),
                             float(std::min(rise, particles.climb))});
        }
    }
    return steps;
}

}  // namespace caprock
