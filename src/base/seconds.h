// Seconds of a clock that only goes forward, for how long something has taken.
#pragma once

#include <chrono>

namespace caprock {

inline double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace caprock
