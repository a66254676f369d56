// How a camera is moved by hand: every move is a function from a camera to a camera.
//
// Moves that have a picked point keep it where it is in the picture, so speeds follow its distance by themselves: what
// is near moves finely, what is far moves fast.
#pragma once

#include "view/camera.h"

#include <functional>

namespace caprock {

// Straight up is left out: there the way ahead along the ground is lost.
constexpr double lowest_pitch = -90;
constexpr double highest_pitch = 89;
constexpr double narrowest_view = 1;  // degrees
constexpr double widest_view = 120;

// ---- by the pointer --------------------------------------------------------------------------------------------

// Around a point, which stays where it is in the picture. Angles in degrees; the pitch stops at its limits.
Camera orbited(const Camera& camera, const Vector3& pivot, double heading, double pitch);

// The same where not every place will do, such as those below the ground: the heading goes all the way, the pitch as far as
// it is allowed. Where it is not even without the pitch, the camera is where it would be then.
Camera orbited_within(const Camera& camera, const Vector3& pivot, double heading, double pitch,
                      const std::function<bool(const Camera&)>& allowed);

// Looks elsewhere from where it is.
Camera turned(const Camera& camera, double heading, double pitch);

// Grabs the ground: moves at its height so that the picked point comes under the pointer. The camera may be the one the
// drag began with or the last one it gave. At the horizon, where the picked point would have to be infinitely far away,
// the camera stays at twenty times its height above the point, or at its distance if it was farther from the beginning.
Camera grabbed(const Camera& camera, Size viewport, const Vector3& picked, ScreenPoint pointer);

// Makes the distance to a picked point so many times what it was: below 1 goes towards it. Never nearer than `nearest`
// metres; who is nearer already stays.
Camera dollied(const Camera& camera, const Vector3& picked, double factor, double nearest = 1);

// Narrows (below 1) or widens the field of view by a factor. What is under the pointer stays there, unless it is so
// steeply below that only a tilted head could keep it. The camera stays where it is: to come nearer, use dollied.
Camera zoomed(const Camera& camera, Size viewport, ScreenPoint pointer, double factor);

// ---- by keys ---------------------------------------------------------------------------------------------------

// Metres along its view, to its right, and straight up.
Camera flown(const Camera& camera, double ahead, double right, double up);

// Metres per second that suit a flight so high: over a second's ground one looks at it from above. Never less than
// `slowest`, so that one can start from the ground.
double fly_speed(double height_over_ground, double slowest = 2);

// No lower than so many metres above the ground below it.
Camera kept_above(const Camera& camera, double ground_height, double clearance);

// ---- from nowhere ----------------------------------------------------------------------------------------------

// All of a box is in the picture, as large as possible with a small margin.
Camera framed_all(const Box& box, Size viewport, double heading, double pitch,
                  double field_of_view = Camera{}.field_of_view);

// From straight above, north being up.
Camera top_view(const Box& box, Size viewport, double field_of_view = Camera{}.field_of_view);

// From the side that is named: from the south one looks north.
enum class Side { north, east, south, west };
Camera side_view(const Box& box, Size viewport, Side from, double field_of_view = Camera{}.field_of_view);

// Looks at a target which sees the camera at an azimuth (degrees clockwise from north) and an elevation above the horizon.
Camera orbiting(const Vector3& target, double azimuth, double elevation, double distance,
                double field_of_view = Camera{}.field_of_view);

// On the way from one camera to another, at a share of the time from 0 to 1: starts and stops softly, turns the shorter
// way round.
Camera interpolated(const Camera& from, const Camera& to, double share);

}  // namespace caprock
