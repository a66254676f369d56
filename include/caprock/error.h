// What goes wrong is thrown, with the text that a user sees on the command line: what, where, and what would be right.
#pragma once

#include <caprock/export.h>
#include <stdexcept>
#include <string>

namespace caprock {
inline namespace v1 {

// What was asked for cannot be done.
class CAPROCK_API Error : public std::runtime_error {
  public:
    explicit Error(const std::string& text);
    ~Error() override;
};

// It takes more memory than there is. Nothing was begun.
class CAPROCK_API OutOfMemory : public Error {
  public:
    explicit OutOfMemory(const std::string& text);
    ~OutOfMemory() override;
};

// A device could not do it, and the CPU could not step in: what there was to begin with is lost with the device.
class CAPROCK_API DeviceError : public Error {
  public:
    explicit DeviceError(const std::string& text);
    ~DeviceError() override;
};

// Somebody asked to stop. Whatever was being made is gone, and no file was written.
class CAPROCK_API Cancelled : public std::runtime_error {
  public:
    Cancelled();
    ~Cancelled() override;
};

}  // namespace v1
}  // namespace caprock
