// How the terrain is shown: what both views and the panels that set it have in common.
#pragma once

#include "view/light_map.h"
#include "view/material_set.h"

#include <QObject>
#include <string>
#include <utility>

namespace caprock::editor {

struct LookSettings {
    std::string scheme = "materials";  // or a colour scheme; the map shows "materials" as "earth"
    std::string field;                 // that the scheme shows; empty: its own
    MaterialSet materials = material_set(default_material_set);
    Sun sun{245, 38};  // shines on what one sees who looks to the north
    double exaggeration = 1;
    bool shadows = true;
    bool contours = false;
    bool grid = false;
    bool lines = true;  // roads, rivers and whatever else the document has
    bool walls = true;
    bool wire = false;
    bool water = true;  // where the terrain has any
    bool sea = false;
    double sea_level = 0;
    bool legend = false;
    bool scale_bar = true;

    bool operator==(const LookSettings&) const = default;
};

class Look : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;

    const LookSettings& settings() const { return settings_; }
    void set(LookSettings settings) {
        if (settings == settings_) return;
        settings_ = std::move(settings);
        Q_EMIT changed();
    }
    template <typename Change>
    void change(Change&& change) {
        LookSettings settings = settings_;
        change(settings);
        set(std::move(settings));
    }

  Q_SIGNALS:
    void changed();

  private:
    LookSettings settings_;
};

}  // namespace caprock::editor
