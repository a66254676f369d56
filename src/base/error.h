// What can go wrong, in three kinds: the user's input, the device, and a cancelled run.
#pragma once

#include <stdexcept>
#include <string>

namespace caprock {

// The request cannot be carried out. The message is for the user: what, where, and what would be right.
class Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// More memory was asked for than there is. Nothing was allocated.
class OutOfMemory : public Error {
  public:
    using Error::Error;
};

// A device could not do the work (out of its memory, a kernel that its driver rejects, a driver error).
// Whoever started the work redoes it on the CPU.
class DeviceError : public Error {
  public:
    using Error::Error;
};

// The device is gone, and with it everything that was only in its memory.
class DeviceLost : public DeviceError {
  public:
    using DeviceError::DeviceError;
};

// Somebody asked to stop; what was being made has been thrown away.
class Cancelled : public std::runtime_error {
  public:
    Cancelled() : std::runtime_error("cancelled") {}
};

}  // namespace caprock
