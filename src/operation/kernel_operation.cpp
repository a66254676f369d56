#include "operation/kernel_operation.h"

#include "base/error.h"
#include "base/text_file.h"
#include "operation/kernel_steps.h"
#include "operation/work.h"

#include <fmt/format.h>

namespace caprock {

namespace {

class KernelOperation final : public Operation {
  public:
    explicit KernelOperation(std::shared_ptr<const KernelProgram> program) : values_(std::move(program)) {}

    std::string_view name() const override { return program().name; }
    std::string_view room() const override { return "custom"; }
    int version() const override { return 1; }
    std::string_view text() const override { return program().text; }

    const Schema& schema() const override { return program().schema; }
    FieldUse fields() const override { return program().fields; }

    Reach reach(const Grid& grid) const override {
        if (program().has(ParameterKind::anywhere)) return Reach::whole();
        const int cells = values_.cells_around(grid);
        if (cells == 0) return Reach::point();
        return counts_steps() ? Reach::steps(cells, values_.steps()) : Reach::area(cells);
    }

    void prepare(Device& device) const override { device.prepare(program().kernel->kernel()); }

    // Whatever their number is: it is the same kind of operation with one step as with a thousand.
    std::unique_ptr<const Simulation> simulation(const Grid& grid) const override {
        return counts_steps() ? std::make_unique<KernelSteps>(values_, grid) : nullptr;
    }

    void run(Work& work) const override {
        const KernelSteps steps(values_, work.terrain().grid());
        if (counts_steps()) return run_simulation(steps, work);
        work.progress().expect(work.rect().cells());
        const SimulationFields ground = steps.ground(work);
        SimulationFields state = steps.begin(work, ground);
        take_steps(steps, work, ground, state, {}, 1);
        steps.put(work, state);
    }

    std::unique_ptr<Operation> clone() const override { return std::make_unique<KernelOperation>(*this); }

  protected:
    ParameterValue value_at(size_t index) const override { return values_.at(index); }
    void put_at(size_t index, ParameterValue value) override { values_.put(index, std::move(value)); }

  private:
    const KernelProgram& program() const { return values_.program(); }
    bool counts_steps() const { return program().steps_setting.has_value(); }

    KernelValues values_;
};

}  // namespace

std::unique_ptr<Operation> kernel_operation(std::shared_ptr<const KernelProgram> program) {
    return std::make_unique<KernelOperation>(std::move(program));
}

std::unique_ptr<Operation> kernel_operation(const std::string& text, const std::string& file) {
    return kernel_operation(read_kernel_program(text, file));
}

KernelFile::KernelFile(std::string path, std::shared_ptr<Device> device)
    : path_(std::move(path)), device_(std::move(device)), seen_(FileStamp::of(path_)), program_(read()) {}

std::shared_ptr<const KernelProgram> KernelFile::read() const {
    std::string text;
    try {
        text = text_of_file(path_, most_kernel_text, "that is no kernel");
    } catch (const Error& error) {
        throw Error(fmt::format("cannot read '{}': {}", shown_path(path_), error.what()));
    }
    std::shared_ptr<const KernelProgram> program = read_kernel_program(text, path_);
    if (device_) device_->prepare(program->kernel->kernel());
    return program;
}

bool KernelFile::refresh() {
    FileStamp now = FileStamp::of(path_);
    if (now == seen_) return false;
    // Taken before it is read: what is written in between is seen next time.
    seen_ = now;
    try {
        std::shared_ptr<const KernelProgram> program = read();
        error_.clear();
        bool changed = program->text != program_->text;
        if (changed) program_ = std::move(program);
        return changed;
    } catch (const Error& error) {
        error_ = error.what();
        return false;
    }
}

std::unique_ptr<Operation> KernelFile::operation_like(const Operation& other) const {
    std::unique_ptr<Operation> made = operation();
    for (const Parameter& parameter : made->schema().parameters()) {
        const Parameter* old = other.schema().find(parameter.name());
        if (!old || old->type() != parameter.type()) continue;
        try {
            made->set_text(parameter, other.value_text(*old));
        } catch (const Error&) {
            // Outside the new range: the new default stays.
        }
    }
    return made;
}

}  // namespace caprock
