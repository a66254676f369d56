// Compiled OpenCL programs on disk, one file per program, device and driver version.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caprock::opencl {

// The name a program is kept under: a fingerprint of everything that decides its machine code.
std::string cache_key(std::string_view source, std::string_view device, std::string_view driver,
                      std::string_view options);

// Where compiled kernels are kept: $CAPROCK_CACHE, $XDG_CACHE_HOME/caprock or ~/.cache/caprock.
std::string cache_folder();

// A cache that cannot be read or written only costs time: neither call ever throws.
std::optional<std::vector<unsigned char>> cached_program(const std::string& key) noexcept;
void keep_program(const std::string& key, const std::vector<unsigned char>& binary) noexcept;

}  // namespace caprock::opencl
