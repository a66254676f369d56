// What a program says to whoever started it: results on the standard output, everything else on the standard error.
//
// Nothing throws out of telling. A disk that is full or a reader that has gone away must not stop work half way, least of all
// behind the point where it was committed. What could not be told on the standard error is not told; what could not be said on
// the standard output is remembered, and the program asks at its end.
#pragma once

#include "base/error.h"

#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace caprock {

// First of all in a program. The numbers of standard streams that are closed are taken, so that no file that is opened later
// gets one and is written into by mistake; writing to them goes on failing. A reader that is gone is a write that fails, and
// so is a file that grows too large: neither ends the program half way.
void secure_standard_streams() noexcept;

// On the standard error, at once.
void tell(std::string_view text) noexcept;

// On the standard output: at once on a terminal, otherwise when enough has come together.
void say_text(std::string_view text) noexcept;

template <typename... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
    say_text(fmt::format(format, std::forward<Values>(values)...));
}

// All that was said is out afterwards. The error number of what first went wrong, 0 while nothing did.
int flush_said() noexcept;

// Somebody who only has results to give need not go on when nobody takes them.
class NotHeard : public Error {
  public:
    using Error::Error;
};
// "cannot write to the standard output: No space left on device"
std::string not_heard_text(int failure);
// Throws NotHeard where something could not be said.
void flush_said_or_stop();

}  // namespace caprock
