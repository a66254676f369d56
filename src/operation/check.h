// What is asked of operations before they run, and whose error it was when they do not.
#pragma once

#include "base/error.h"
#include "operation/operation.h"

#include <cstddef>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace caprock {

// Throws Error unless the parameters are in range and go together and every field it needs is there; and the same of
// its parts, each with what those before it make.
void check_operation(const Operation& operation, const Terrain& terrain);
// The same for a terrain of which only the names of the fields are known. They become those there are afterwards.
// Returns how many fields there are at once while it runs, those it works with among them.
size_t check_operation(const Operation& operation, const Grid& grid, std::vector<std::string>& fields);

// Throws Error unless all lines it needs are among these.
void check_lines(const Operation& operation, const std::vector<std::string>& lines);

// Of these fields, those that an operation reads, or reads if they are there: what its parts begin with.
std::vector<std::string> declared_fields(const Operation& operation, std::vector<std::string> fields);

// Whatever an operation refuses, the user is told which operation it was.
template <typename Action>
auto named(std::string_view operation, const Action& action) {
    auto prefixed = [&](const std::exception& error) { return std::string(operation) + ": " + error.what(); };
    try {
        return action();
    } catch (const DeviceLost& error) {
        throw DeviceLost(prefixed(error));
    } catch (const DeviceError& error) {
        throw DeviceError(prefixed(error));
    } catch (const OutOfMemory& error) {
        throw OutOfMemory(prefixed(error));
    } catch (const std::bad_alloc&) {
        throw OutOfMemory(std::string(operation) + ": the system has no more memory");
    } catch (const Error& error) {
        throw Error(prefixed(error));
    }
}

}  // namespace caprock
