// What pulls water and droplets down.
#pragma once

namespace caprock {

constexpr double gravity = 9.81;  // m/s2

}  // namespace caprock
