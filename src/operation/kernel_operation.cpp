#include "operation/kernel_operation.h"

#include "base/error.h"
#include "base/text_file.h"
#include "operation/work.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <fmt/format.h>

namespace caprock {

namespace {

class KernelOperation final : public Operation {
  public:
    explicit KernelOperation(std::shared_ptr<const KernelProgram> program) : program_(std::move(program)) {
        for (const Parameter& parameter : program_->schema.parameters())
            values_.push_back(parameter.default_value());
    }

    std::string_view name() const override { return program_->name; }
    std::string_view room() const override { return "custom"; }
    int version() const override { return 1; }
    std::string_view text() const override { return program_->text; }

    const Schema& schema() const override { return program_->schema; }
    FieldUse fields() const override { return program_->fields; }

    Reach reach(const Grid& grid) const override {
        if (program_->has(ParameterKind::anywhere)) return Reach::whole();
        int cells = program_->has(ParameterKind::around) ? radius_cells(grid) : 0;
        if (cells == 0) return Reach::point();
        return program_->steps_setting ? Reach::steps(cells, steps()) : Reach::area(cells);
    }

    void prepare(Device& device) const override { device.prepare(program_->kernel->kernel()); }

    void run(Work& work) const override {
        WorkTerrain& terrain = work.terrain();
        work.progress().expect(terrain.rect().cells() * std::max(steps(), 1));
        for (int iteration = 0; iteration < steps(); iteration++) run_once(work, terrain, iteration);
    }

    std::unique_ptr<Operation> clone() const override { return std::make_unique<KernelOperation>(*this); }

  protected:
    ParameterValue value_at(size_t index) const override { return values_[index]; }
    void put_at(size_t index, ParameterValue value) override { values_[index] = std::move(value); }

  private:
    // Of a choice its index, of a flag 0 or 1.
    double number_at(size_t setting) const {
        const ParameterValue& value = values_[setting];
        if (const double* number = std::get_if<double>(&value)) return *number;
        if (const bool* flag = std::get_if<bool>(&value)) return *flag;
        if (const uint32_t* seed = std::get_if<uint32_t>(&value)) return *seed;
        if (const int* whole = std::get_if<int>(&value)) return *whole;
        const std::vector<std::string>& words = program_->settings[setting].choices;
        return double(std::ranges::find(words, std::get<std::string>(value)) - words.begin());
    }

    int steps() const { return program_->steps_setting ? int(number_at(*program_->steps_setting)) : 1; }

    // The cells that lie within the radius, straight east.
    int radius_cells(const Grid& grid) const {
        double radius = program_->radius_setting ? number_at(*program_->radius_setting) : program_->radius;
        if (!program_->radius_in_cells) radius = grid.metres_to_cells(radius);
        // 0.3 m are three cells of 0.1 m, whatever the quotient's last bit says.
        return int(std::clamp(std::floor(radius + 1e-6), 0.0, double(largest_side)));
    }

    Argument uniform(const KernelUniform& uniform, ParameterKind kind, const Grid& grid,
                     int iteration) const {
        switch (uniform.source) {
            case UniformSource::cell:
                return float(grid.cell);
            case UniformSource::low:
                return float(grid.range.low);
            case UniformSource::high:
                return float(grid.range.high);
            case UniformSource::reach:
                return radius_cells(grid);
            case UniformSource::iteration:
                return iteration;
            case UniformSource::setting:
                break;
        }
        double value = number_at(uniform.setting);
        if (kind == ParameterKind::uniform_float) return float(value);
        if (kind == ParameterKind::uniform_int) return int32_t(value);
        return uint32_t(int64_t(value));
    }

    void run_once(Work& work, WorkTerrain& terrain, int iteration) const {
        std::vector<Argument> arguments;
        // Arguments hold addresses, which a deque keeps.
        std::deque<std::pair<std::string, Field>> made;
        size_t next_uniform = 0;
        for (const ScannedParameter& parameter : program_->scanned.parameters) {
            if (!is_field(parameter.kind)) {
                arguments.push_back(
                    uniform(program_->uniforms[next_uniform++], parameter.kind, terrain.grid(), iteration));
            } else if (is_written(parameter.kind)) {
                bool in_place = parameter.kind == ParameterKind::inout;
                made.emplace_back(parameter.name,
                                  in_place ? terrain.field(parameter.name) : Field(terrain.rect()));
                arguments.emplace_back(made.back().second.plane());
            } else {
                const Field* field = terrain.find(parameter.name);
                arguments.push_back(field ? Argument(field->plane()) : Argument(nullptr));
            }
        }
        int radius = program_->has(ParameterKind::around) ? radius_cells(terrain.grid()) : 0;
        work.launch_with(arguments, radius, program_->kernel->kernel(), terrain.rect());
        for (auto& [name, field] : made) terrain.set(name, std::move(field));
    }

    std::shared_ptr<const KernelProgram> program_;
    std::vector<ParameterValue> values_;
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
