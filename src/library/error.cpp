#include "library/bridge.h"

namespace caprock {
inline namespace v1 {

// Here and nowhere else, so that each is one type for the library and for all that catch it.
Error::Error(const std::string& text) : std::runtime_error(text) {}
Error::~Error() = default;

OutOfMemory::OutOfMemory(const std::string& text) : Error(text) {}
OutOfMemory::~OutOfMemory() = default;

DeviceError::DeviceError(const std::string& text) : Error(text) {}
DeviceError::~DeviceError() = default;

Cancelled::Cancelled() : std::runtime_error("cancelled") {}
Cancelled::~Cancelled() = default;

}  // namespace v1
}  // namespace caprock
