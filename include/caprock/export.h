// What the library shows of itself: all else in it is hidden.
#pragma once

#if defined(__GNUC__)
#define CAPROCK_API __attribute__((visibility("default")))
#else
#define CAPROCK_API
#endif
