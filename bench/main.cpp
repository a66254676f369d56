#include "base/interrupt.h"
#include "base/telling.h"
#include "base/text.h"
#include "benchmarks.h"

#include <csignal>
#include <exception>

namespace {

using namespace caprock;

int benchmarks_of(int count, char** values) {
    BenchmarkOptions options;
    if (count > 1) {
        auto size = parse_integer(values[1]);
        if (!size || *size < 16 || *size > 65536)
            throw Error(fmt::format("'{}' is not a size from 16 to 65536: caprock-bench [SIZE [NAME ...]]",
                                    one_line(values[1])));
        options.size = int(*size);
    }
    for (int i = 2; i < count; i++) options.only.emplace_back(values[i]);
    Progress progress;
    Interruptible interruptible(progress);
    options.progress = &progress;
    run_benchmarks(options);
    flush_said_or_stop();
    return 0;
}

}  // namespace

// caprock-bench [SIZE [NAME ...]]: the benchmarks alone, for machines without the file libraries.
int main(int count, char** values) {
    secure_standard_streams();
    answer_interrupts();
    try {
        return benchmarks_of(count, values);
    } catch (const Cancelled&) {
        return 128 + SIGINT;
    } catch (const std::exception& error) {
        flush_said();
        tell("caprock-bench: ");
        tell(error.what());
        tell("\n");
        return 2;
    }
}
