// Operations one after the other. They are made by the functions of operations.h and put together by |:
//
//     auto chain = noise({.kind = NoiseKind::ridged}) | thermal_erosion({.steps = 20});
#pragma once

#include <caprock/export.h>
#include <caprock/grid.h>
#include <caprock/lines.h>
#include <caprock/varying.h>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace caprock {
inline namespace v1 {

class Land;

// A value of a parameter. A choice is its word, a field its name, a file its path; a map is taken by numbers that may vary, and
// lines may be what one would type, too.
using Value = std::variant<double, int, bool, std::uint32_t, std::string, Interval, std::vector<double>,
                           std::vector<std::string>, Map, LineSet>;
inline Value value_of(const Lines& lines) {
    return lines.text.empty() ? Value(lines.set) : Value(lines.text);
}
struct Setting {
    std::string_view name;
    Value value;
};

// A value: computing it leaves it as it is.
class CAPROCK_API Chain {
  public:
    Chain();  // nothing is done
    // One operation by its name, where that is known only while the program runs: Chain("smooth", {{"radius", 20.0}}). A name
    // that ends in .kernel is the path of a kernel of your own. Parameters that are not given have their defaults. Throws Error
    // where there is no such operation or parameter, or a value is refused.
    explicit Chain(std::string_view operation, std::initializer_list<Setting> settings = {});
    Chain(std::string_view operation, std::span<const Setting> settings);

    std::vector<std::string> names() const;  // of its operations

    // On a new grid, with nothing on it.
    Land on(const Grid& grid) const;

    // ---- for the library itself ----
    struct Inside;
    explicit Chain(std::shared_ptr<const Inside> inside);
    const Inside& inside() const { return *inside_; }

  private:
    std::shared_ptr<const Inside> inside_;
};

// First one, then the other.
CAPROCK_API Chain operator|(const Chain& first, const Chain& then);

// What there is, with the names and help of `caprock list`.
struct OperationDescription {
    std::string name;
    std::string room;  // synthesis, erosion ...
    std::string summary;
};
CAPROCK_API std::vector<OperationDescription> operations();

}  // namespace v1
}  // namespace caprock
