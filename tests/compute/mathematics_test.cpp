// The dialect's mathematics: within its stated error of the exact value, with the same bits on every device.
#include "base/random.h"
#include "support/devices.h"
#include "support/planes.h"
#include "test_kernels.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace caprock::test {
namespace {

// Values every function meets: signs, zeros, denormals, limits, infinities, the missing value.
const std::vector<float> edges = {0.0f,    -0.0f,           1.0f,       -1.0f,       0.5f,
                                  2.0f,    1.40129846e-45f, 1e-40f,     -1e-40f,     1.17549435e-38f,
                                  3.4e38f, -3.4e38f,        INFINITY,   -INFINITY,   NAN,
                                  127.99f, 128.0f,          -126.5f,    -149.5f,     -150.0f,
                                  88.72f,  0.99999994f,     1.0000001f, 3.14159274f, 1.57079637f,
                                  8191.9f, -8192.0f,        1e10f};

std::vector<float> spread(float low, float high, size_t count, uint32_t seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> uniform(low, high);
    std::vector<float> values(count);
    for (float& value : values) value = float(uniform(generator));
    return values;
}

// Random bit patterns: every magnitude alike.
std::vector<float> any_floats(size_t count, uint32_t seed) {
    std::mt19937 generator(seed);
    std::vector<float> values(count);
    for (float& value : values) {
        uint32_t bits = generator();
        std::memcpy(&value, &bits, sizeof value);
    }
    return values;
}

Plane plane_of(const std::vector<float>& values) {
    int width = 1000;
    int height = int((values.size() + 999) / 1000);
    return made_plane({0, 0, width, height}, [&](int x, int y) {
        size_t i = size_t(y) * 1000 + size_t(x);
        return i < values.size() ? values[i] : 0.0f;
    });
}

Plane computed(Device& device, const Kernel& kernel, const std::vector<const Plane*>& inputs) {
    Plane result(inputs[0]->rect);
    std::vector<Argument> arguments;
    for (const Plane* input : inputs) arguments.emplace_back(*input);
    arguments.emplace_back(result);
    device.launch_with(kernel, result.rect, arguments);
    return result;
}

// The result on the first device, after a look at whether every other gives the same bits.
Plane same_everywhere(const Kernel& kernel, const std::vector<const Plane*>& inputs) {
    Plane first = computed(*all_devices()[0].device, kernel, inputs);
    for (const NamedDevice& named : all_devices()) {
        Plane other = computed(*named.device, kernel, inputs);
        EXPECT_EQ(differing_cells(first, other), 0) << kernel.name << " on " << named.name;
    }
    return first;
}

// Distance from the exact value in units of the last place that a float of its size has.
double error_in_ulp(float value, long double exact) {
    if (std::isnan(exact)) return std::isnan(value) ? 0 : 1e9;
    float rounded = float(exact);
    if (std::isinf(rounded)) return value == rounded ? 0 : 1e9;
    int exponent = 0;
    std::frexp(rounded, &exponent);
    long double ulp = std::ldexp(1.0L, std::max(exponent - 24, -149));
    return double(std::fabs(static_cast<long double>(value) - exact) / ulp);
}

using Exact1 = long double (*)(long double);
using Exact2 = long double (*)(long double, long double);

struct Function1 {
    const Kernel& kernel;
    Exact1 exact;
    float low, high;
    double ulp;  // stated in kernels/dialect/mathematics.h; 0: absolute is stated
    double absolute;
};

class Mathematics1 : public testing::TestWithParam<int> {};

const std::vector<Function1>& functions1() {
    static const std::vector<Function1> all = {
        {kernel::test_exp2, [](long double x) { return std::exp2(x); }, -150, 129, 0.8, 0},
        {kernel::test_exp, [](long double x) { return std::exp(x); }, -104, 89, 0.8, 0},
        {kernel::test_log2, [](long double x) { return std::log2(x); }, 0, 100, 1.0, 0},
        {kernel::test_log, [](long double x) { return std::log(x); }, 0, 100, 1.0, 0},
        {kernel::test_sin, [](long double x) { return std::sin(x); }, -8192, 8192, 0, 6.5e-8},
        {kernel::test_cos, [](long double x) { return std::cos(x); }, -8192, 8192, 0, 6.5e-8},
        {kernel::test_floor, [](long double x) { return std::floor(x); }, -1000, 1000, 1e-9, 0},
        {kernel::test_sqrt, [](long double x) { return std::sqrt(x); }, 0, 1e6, 0.501, 0},
    };
    return all;
}

TEST_P(Mathematics1, IsWithinItsStatedErrorOnEveryDevice) {
    const Function1& function = functions1()[size_t(GetParam())];
    std::vector<float> values = spread(function.low, function.high, 150000, 1);
    // Near 1, where logarithms cancel, and near 0.
    for (float value : spread(0.9f, 1.1f, 50000, 2)) values.push_back(value);
    for (float value : spread(-1e-3f, 1e-3f, 50000, 3)) values.push_back(value);
    const Plane inputs = plane_of(values);
    const Plane results = same_everywhere(function.kernel, {&inputs});
    double worst = 0;
    for (size_t i = 0; i < values.size(); i++) {
        float value = cell(results, int(i % 1000), int(i / 1000));
        long double exact = function.exact(values[i]);
        double error = function.ulp > 0 ? error_in_ulp(value, exact) : double(std::fabs(value - exact));
        if (error > worst) {
            worst = error;
            ASSERT_LE(worst, function.ulp > 0 ? function.ulp : function.absolute)
                << function.kernel.name << "(" << values[i] << ") = " << value << ", exactly "
                << double(exact);
        }
    }
}

TEST_P(Mathematics1, HasTheSameBitsForAnyFloat) {
    const Kernel& tested = functions1()[size_t(GetParam())].kernel;
    std::vector<float> values = any_floats(300000, 5);
    values.insert(values.end(), edges.begin(), edges.end());
    const Plane inputs = plane_of(values);
    same_everywhere(tested, {&inputs});
}

INSTANTIATE_TEST_SUITE_P(All, Mathematics1, testing::Range(0, 8),
                         [](const testing::TestParamInfo<int>& info) {
                             return std::string(functions1()[size_t(info.param)].kernel.name).substr(5);
                         });

// Every pair of edges, then random ones.
void pairs(std::vector<float>& first, std::vector<float>& second, float low, float high, float low2,
           float high2) {
    for (float a : edges)
        for (float b : edges) {
            first.push_back(a);
            second.push_back(b);
        }
    for (float value : spread(low, high, 150000, 7)) first.push_back(value);
    for (float value : spread(low2, high2, 150000, 8)) second.push_back(value);
}

TEST(Mathematics2, PowIsWithinItsStatedErrorOnEveryDevice) {
    std::vector<float> bases, exponents;
    pairs(bases, exponents, 0, 50, -20, 20);
    const Plane x = plane_of(bases);
    const Plane y = plane_of(exponents);
    const Plane results = same_everywhere(kernel::test_pow, {&x, &y});
    for (size_t i = edges.size() * edges.size(); i < bases.size(); i++) {
        float value = cell(results, int(i % 1000), int(i / 1000));
        long double exact =
            std::pow(static_cast<long double>(bases[i]), static_cast<long double>(exponents[i]));
        ASSERT_LE(error_in_ulp(value, exact), 0.9) << bases[i] << " ^ " << exponents[i] << " = " << value;
    }
    // Where it departs from C: a power of a negative number is missing unless the exponent is 0.
    for (size_t i = 0; i < edges.size() * edges.size(); i++) {
        float base = bases[i];
        float exponent = exponents[i];
        float value = cell(results, int(i % 1000), int(i / 1000));
        if (base < 0) {
            EXPECT_EQ(bits_of(value), bits_of(exponent == 0 ? 1.0f : NAN)) << base << " ^ " << exponent;
        } else if (!std::signbit(base) || std::isnan(base)) {
            float exact = std::pow(base, exponent);
            EXPECT_TRUE(bits_of(value) == bits_of(exact) || error_in_ulp(value, exact) <= 1.5)
                << base << " ^ " << exponent << " = " << value << ", C says " << exact;
        }
    }
}

TEST(Mathematics2, Atan2IsWithinItsStatedErrorOnEveryDevice) {
    std::vector<float> ys, xs;
    pairs(ys, xs, -10, 10, -10, 10);
    const Plane y = plane_of(ys);
    const Plane x = plane_of(xs);
    const Plane results = same_everywhere(kernel::test_atan2, {&y, &x});
    for (size_t i = 0; i < ys.size(); i++) {
        float value = cell(results, int(i % 1000), int(i / 1000));
        long double exact = std::atan2(static_cast<long double>(ys[i]), static_cast<long double>(xs[i]));
        ASSERT_LE(error_in_ulp(value, exact), 2.3) << "atan2(" << ys[i] << ", " << xs[i] << ") = " << value;
        if (std::isnan(exact)) continue;
        ASSERT_EQ(std::signbit(value), std::signbit(exact)) << ys[i] << ", " << xs[i];
    }
}

TEST(Mathematics2, DivisionAndTheRestHaveTheSameBits) {
    std::vector<float> first, second;
    pairs(first, second, -1e4f, 1e4f, -3, 3);
    std::vector<float> any = any_floats(100000, 11);
    std::vector<float> other = any_floats(100000, 12);
    first.insert(first.end(), any.begin(), any.end());
    second.insert(second.end(), other.begin(), other.end());
    const Plane x = plane_of(first);
    const Plane y = plane_of(second);
    const Plane quotients = same_everywhere(kernel::test_divide, {&x, &y});
    for (size_t i = 0; i < first.size(); i++)
        ASSERT_EQ(bits_of(cell(quotients, int(i % 1000), int(i / 1000))), bits_of(first[i] / second[i]));
    const Plane least = same_everywhere(kernel::test_min, {&x, &y});
    const Plane most = same_everywhere(kernel::test_max, {&x, &y});
    for (size_t i = 0; i < first.size(); i++) {
        bool less = first[i] < second[i];
        ASSERT_EQ(bits_of(cell(least, int(i % 1000), int(i / 1000))), bits_of(less ? first[i] : second[i]));
        ASSERT_EQ(bits_of(cell(most, int(i % 1000), int(i / 1000))), bits_of(less ? second[i] : first[i]));
    }
    same_everywhere(kernel::test_mix_clamp, {&x, &y});
    same_everywhere(kernel::test_missing, {&x});
    same_everywhere(kernel::test_hash_bits, {&x, &y});
}

TEST(Random, HostAndKernelsHashAlike) {
    std::vector<float> first = any_floats(20000, 21);
    std::vector<float> second = any_floats(20000, 22);
    const Plane x = plane_of(first);
    const Plane y = plane_of(second);
    const Plane hashes = same_everywhere(kernel::test_hash_bits, {&x, &y});
    for (size_t i = 0; i < first.size(); i++) {
        uint32_t a, b;
        std::memcpy(&a, &first[i], sizeof a);
        std::memcpy(&b, &second[i], sizeof b);
        ASSERT_EQ(cell(hashes, int(i % 1000), int(i / 1000)), float(hashed(a, b, a + b) >> 8));
    }
}

TEST(Random, HashesAreUniformAndUncorrelated) {
    // The bits of consecutive floats are consecutive indices: the hardest case for a hash.
    std::vector<float> indices(200000);
    for (size_t i = 0; i < indices.size(); i++) {
        uint32_t bits = 0x3f800000u + uint32_t(i);
        std::memcpy(&indices[i], &bits, sizeof bits);
    }
    const Plane x = plane_of(indices);
    const Plane units = same_everywhere(kernel::test_unit_hash, {&x});
    const float* values = units.buffer->read();
    std::vector<int> bins(100);
    double products = 0;
    for (size_t i = 0; i < indices.size(); i++) {
        ASSERT_GE(values[i], 0.0f);
        ASSERT_LT(values[i], 1.0f);
        bins[size_t(values[i] * 100)]++;
        if (i > 0) products += (values[i] - 0.5) * (values[i - 1] - 0.5);
    }
    double chi = 0;
    for (int count : bins) chi += (count - 2000.0) * (count - 2000.0) / 2000.0;
    EXPECT_LT(chi, 160);  // 99 degrees of freedom: beyond four standard deviations
    // The correlation of neighbours has a standard deviation of 1 / sqrt(n).
    EXPECT_LT(std::fabs(products / double(indices.size()) * 12), 4 / std::sqrt(double(indices.size())));
}

}  // namespace
}  // namespace caprock::test
