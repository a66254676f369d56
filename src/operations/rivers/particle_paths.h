// Where the particles of a river roll (Riverbeds, eq. 1): a pivot goes along a course, the particle around the pivot.
// Every particle draws from its own random numbers, and meets the ground as it was before any of them cut into it, so
// that the cuts can be made in parallel afterwards.
#pragma once

#include "base/progress.h"
#include "field/field.h"
#include "terrain/grid.h"

#include <cstdint>
#include <vector>

namespace caprock {

// A point or a direction, x to the east and y to the south.
struct Place {
    double x, y;
};

double distance(const Place& a, const Place& b);

// What the pivots follow: a straight line without end, or a line through given points. Lengths are in metres.
class Course {
  public:
    // Directions are those of a compass, in degrees.
    static Course straight(const Place& from, double direction);
    // Two points at the least, each different from the one before.
    static Course through(const std::vector<Place>& points);

    double length() const;  // infinite where it is straight

    // A place beside the course, so far along it and so far to the right of it, and which way is on there. Before its
    // beginning and beyond its end the course goes straight on. At a bend all turn together, so that what is beside
    // the course has no gaps.
    struct Beside {
        Place place;
        Place ahead;  // of length 1; to the right of it is (-ahead.y, ahead.x)
    };
    Beside at(double along, double across) const;

  private:
    std::vector<Place> points_;
    std::vector<double> distances_;  // of each point along the course
    std::vector<Place> ahead_;       // at each point: between the directions of the lines that meet there
    bool endless_ = false;
};

// The middle of the side that a course of this direction comes from, metres.
Place middle_of_side(const Grid& grid, double direction);

// How particles are made. Each draws from every interval.
struct Particles {
    int count = 0;
    double window = 0;  // metres, across the course: where they start
    Interval velocity;  // metres the pivot goes in a step
    Interval angle;     // degrees by which the pivot strays from the course, to the right
    Interval rotation;  // degrees the particle turns around the pivot in a step, clockwise
    Interval phase;     // degrees it has turned at the start; 0 is ahead of the pivot
    Interval offset;    // metres from the pivot
    Interval radius;    // metres: half the width of what it cuts; its size
    double climb = 0;   // metres it can rise above the lowest ground it has come to
    uint32_t seed = 1;
    uint32_t first = 0;  // the number of the first particle: others draw other numbers
};

// A particle has come to a place.
struct ParticleStep {
    double x, y;   // in cells
    float radius;  // in cells
    float length;  // the way from the place before, in cells
    float rise;    // metres that the ground stands above the lowest it has come to
};

// The steps of all particles, one particle after the other, as far as they touch the landscape. On a straight course a
// particle is gone when its pivot is so far outside that it cannot touch the landscape, on a line at the line's end. It
// is stopped by ground that stands more than `climb` above the lowest it has come to; that step, where it hits, is its
// last. Missing ground is not in its way.
std::vector<ParticleStep> particle_paths(const Grid& grid, const Field& height, const Course& course,
                                         const Particles& particles, Progress& progress);

}  // namespace caprock
