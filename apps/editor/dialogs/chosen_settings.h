// What the user has chosen once and for all, in QSettings: read by whoever needs it, set by the page of preferences.
#pragma once

#include "theme/theme.h"
#include "views/hand.h"

#include <QString>
#include <cstdint>
#include <string>

namespace caprock::editor {

ThemeKind theme_setting();
void set_theme_setting(ThemeKind kind);

// Whether the tour is shown when the editor starts; once it was seen it is not, unless asked for.
bool tour_setting();
void set_tour_setting(bool wanted);

// Whether a document gets a new picture of itself when it is closed.
bool thumbnail_setting();
void set_thumbnail_setting(bool wanted);

// Bytes for the tiles of a document, as DocumentOptions::memory has it: 0 is a quarter of the machine's.
uint64_t memory_setting();
void set_memory_setting(uint64_t bytes);

// A word that choose_device() takes.
std::string device_setting();
void set_device_setting(const std::string& word);

NavigationStyle navigation_setting();
void set_navigation_setting(NavigationStyle style);

struct PenSettings {
    double firmness = 1;  // above 1 the pen has to be pressed harder for the same effect, below 1 less
    double least = 0;     // pressures below this share count as none
    bool eraser = true;   // the other end of the pen erases

    bool operator==(const PenSettings&) const = default;
};
PenSettings pen_setting();
void set_pen_setting(const PenSettings& pen);
// What a pressure of 0..1 counts as.
double felt_pressure(const PenSettings& pen, double pressure);

}  // namespace caprock::editor
