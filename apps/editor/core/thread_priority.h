// Threads that compute give way to the one that the window lives on: with few cores it would wait for them.
#pragma once

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace caprock::editor {

// For the calling thread, and for those that it starts. Where the system does not have it, nothing happens.
inline void give_way_to_the_window() {
#ifdef __linux__
    constexpr int less_urgent = 6;
    setpriority(PRIO_PROCESS, id_t(gettid()), less_urgent);
#endif
}

}  // namespace caprock::editor
