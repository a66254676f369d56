#include "base/text.h"
#include "benchmarks.h"

#include <cstdio>
#include <exception>

// caprock-bench [SIZE [NAME ...]]: the benchmarks alone, for machines without the file libraries.
int main(int count, char** values) {
    try {
        caprock::BenchmarkOptions options;
        if (count > 1) {
            auto size = caprock::parse_integer(values[1]);
            if (!size || *size < 16 || *size > 65536) {
                std::fprintf(stderr, "caprock-bench [SIZE [NAME ...]]: '%s' is not a size from 16 to 65536\n",
                             values[1]);
                return 2;
            }
            options.size = int(*size);
        }
        for (int i = 2; i < count; i++) options.only.emplace_back(values[i]);
        caprock::run_benchmarks(options);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "caprock-bench: %s\n", error.what());
        return 2;
    }
}
