// OpenGL without a screen, a window or X: what pictures from the command line are drawn with.
#pragma once

#include "view/gl/functions.h"

#include <memory>
#include <string>
#include <vector>

namespace caprock::gl {

class HeadlessContext {
  public:
    // Current on this thread when made. Throws GlError, saying what is missing, where there is no OpenGL 4.5.
    HeadlessContext();
    ~HeadlessContext();
    HeadlessContext(const HeadlessContext&) = delete;
    HeadlessContext& operator=(const HeadlessContext&) = delete;

    const Functions& functions() const { return *functions_; }
    std::string renderer() const;
    // What the driver has complained about since the last call: errors and undefined behaviour.
    std::vector<std::string> complaints();

  private:
    struct Egl;
    std::unique_ptr<Egl> egl_;
    std::unique_ptr<Functions> functions_;
    std::vector<std::string> complaints_;
};

}  // namespace caprock::gl
