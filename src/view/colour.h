// Colours as light, as pictures store them, and as the eye measures them.
#pragma once

#include <algorithm>
#include <cstdint>

namespace caprock {

// Linear light, 0..1.
struct Light {
    float red = 0;
    float green = 0;
    float blue = 0;
};

inline Light operator*(const Light& a, const Light& b) {
    return {a.red * b.red, a.green * b.green, a.blue * b.blue};
}
inline Light operator*(const Light& a, float by) { return {a.red * by, a.green * by, a.blue * by}; }
inline Light operator+(const Light& a, const Light& b) {
    return {a.red + b.red, a.green + b.green, a.blue + b.blue};
}
inline Light mixed(const Light& a, const Light& b, float share_of_b) {
    return {a.red + (b.red - a.red) * share_of_b, a.green + (b.green - a.green) * share_of_b,
            a.blue + (b.blue - a.blue) * share_of_b};
}

// sRGB as pictures store it.
struct Bytes {
    uint8_t red = 0;
    uint8_t green = 0;
    uint8_t blue = 0;

    bool operator==(const Bytes&) const = default;
};

constexpr Bytes bytes_of(uint32_t colour) {  // 0xRRGGBB
    return {uint8_t(colour >> 16 & 0xff), uint8_t(colour >> 8 & 0xff), uint8_t(colour & 0xff)};
}

// A share as textures store it. Missing ones are 0.
inline uint8_t byte_of(float share) {
    return share > 0 ? uint8_t(std::min(share, 1.0f) * 255.0f + 0.5f) : uint8_t(0);
}

// OKLab, after Björn Ottosson, "A perceptual color space for image processing" (2020): equal steps look equal.
struct Lab {
    float lightness = 0;  // 0 black .. 1 white
    float a = 0;          // green to red
    float b = 0;          // blue to yellow
};

Light light_of(const Bytes& colour);
Light light_of(const Lab& colour);
Lab lab_of(const Light& light);
// Light beyond what a picture can store is cut off.
Bytes bytes_of(const Light& light);
// How far sRGB encodes one part of linear light, 0..1.
double encoded_light(double linear);

// The colour of this lightness and hue (degrees) that is as strong as asked, or as strong as a picture can store.
Lab lab_within_gamut(double lightness, double chroma, double hue);

}  // namespace caprock
