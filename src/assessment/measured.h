// A number that was measured, or why there is none: land may be too small, too flat or too full of holes for it.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace caprock {

class Measured {
  public:
    Measured() : why_("it was not measured") {}
    Measured(double value) : value_(value) {}
    // "too few streams": what stands behind "not to be had: ".
    static Measured none(std::string why) {
        Measured made;
        made.why_ = std::move(why);
        return made;
    }

    bool known() const { return value_.has_value(); }
    double value() const {
        if (!value_) throw std::logic_error("a number that is not to be had was asked for: " + why_);
        return *value_;
    }
    // Empty where it is known.
    const std::string& why() const { return why_; }

  private:
    std::optional<double> value_;
    std::string why_;
};

}  // namespace caprock
