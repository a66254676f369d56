#include "view/colour.h"

#include "base/mathematics.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace caprock {

namespace {

float decoded_light(int byte) {
    double value = byte / 255.0;
    return float(value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4));
}

std::array<float, 256> decoding() {
    std::array<float, 256> table{};
    for (int i = 0; i < 256; i++) table[size_t(i)] = decoded_light(i);
    return table;
}

// Tabulated over the square root of light, which puts the steps where the eye sees them.
class Encoding {
  public:
    Encoding() {
        for (int i = 0; i <= steps; i++) {
            double root = double(i) / steps;
            bytes_[size_t(i)] = uint8_t(std::lround(encoded_light(root * root) * 255));
        }
    }

    uint8_t of(float light) const {
        // Written so that a NaN is black and not an index.
        float bounded = light > 0 ? (light < 1 ? light : 1.0f) : 0.0f;
        return bytes_[size_t(std::sqrt(bounded) * steps + 0.5f)];
    }

  private:
    static constexpr int steps = 16384;
    std::array<uint8_t, steps + 1> bytes_;
};

}  // namespace

double encoded_light(double linear) {
    return linear <= 0.0031308 ? linear * 12.92 : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

Light light_of(const Bytes& colour) {
    static const std::array<float, 256> table = decoding();
    return {table[colour.red], table[colour.green], table[colour.blue]};
}

Bytes bytes_of(const Light& light) {
    static const Encoding encoding;
    return {encoding.of(light.red), encoding.of(light.green), encoding.of(light.blue)};
}

Lab lab_of(const Light& c) {
    float l = std::cbrt(0.4122214708f * c.red + 0.5363325363f * c.green + 0.0514459929f * c.blue);
    float m = std::cbrt(0.2119034982f * c.red + 0.6806995451f * c.green + 0.1073969566f * c.blue);
    float s = std::cbrt(0.0883024619f * c.red + 0.2817188376f * c.green + 0.6299787005f * c.blue);
    return {0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s,
            1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s,
            0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s};
}

Light light_of(const Lab& c) {
    float l = c.lightness + 0.3963377774f * c.a + 0.2158037573f * c.b;
    float m = c.lightness - 0.1055613458f * c.a - 0.0638541728f * c.b;
    float s = c.lightness - 0.0894841775f * c.a - 1.2914855480f * c.b;
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    return {4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s,
            -1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s,
            -0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s};
}

Lab lab_within_gamut(double lightness, double chroma, double hue) {
    double around = hue * pi / 180;
    auto lab = [&](double strength) {
        return Lab{float(lightness), float(strength * std::cos(around)), float(strength * std::sin(around))};
    };
    auto fits = [&](double strength) {
        Light light = light_of(lab(strength));
        float least = std::min({light.red, light.green, light.blue});
        float most = std::max({light.red, light.green, light.blue});
        return least >= 0 && most <= 1;
    };
    if (fits(chroma)) return lab(chroma);
    double low = 0, high = chroma;
    for (int i = 0; i < 24; i++) {
        double middle = (low + high) / 2;
        (fits(middle) ? low : high) = middle;
    }
    return lab(low);
}

}  // namespace caprock
