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
        for (const KernelSetting& setting : program_->settings) {
            Value value;
            value.number = setting.initial;
            if (setting.type == ParameterType::seed) {
                value.seed = uint32_t(setting.initial);
            } else if (setting.type != ParameterType::number) {
                value.whole = int(setting.initial);
                value.flag = value.whole != 0;
            }
            values_.push_back(value);
        }
    }

    std::string_view name() const override { return program_->name; }
    std::string_view room() const override { return "custom"; }
    int version() const override { return 1; }
    std::string_view text() const override { return program_->text; }

    Declaration declare() override {
        Declaration d;
        d.summary(program_->summary);
        for (size_t i = 0; i < values_.size(); i++) declare_setting(d, program_->settings[i], values_[i]);
        int made = 0;
        for (const ScannedParameter& parameter : program_->scanned.parameters) {
            if (!is_field(parameter.kind)) continue;
            bool input = parameter.kind != ParameterKind::out;
            if (input && is_optional(parameter.name)) d.reads_if_there(parameter.name);
            if (input && !is_optional(parameter.name)) d.reads(parameter.name);
            if (!is_written(parameter.kind)) continue;
            d.makes(parameter.name);
            made++;
        }
        d.works_with(made);
        if (program_->rules.fills_missing) d.fills_missing();
        if (program_->rules.makes_missing) d.makes_missing();
        return d;
    }

    Reach reach(const Grid& grid) const override {
        if (program_->has(ParameterKind::anywhere)) return Reach::whole();
        int cells = program_->has(ParameterKind::around) ? radius_cells(grid) : 0;
        if (cells == 0) return Reach::point();
        return program_->iterations_setting ? Reach::steps(cells, iterations()) : Reach::area(cells);
    }

    void prepare(Device& device) const override { device.prepare(program_->kernel->kernel()); }

    void run(Work& work) const override {
        WorkTerrain& terrain = work.terrain();
        work.progress().expect(terrain.rect().cells() * std::max(iterations(), 1));
        for (int iteration = 0; iteration < iterations(); iteration++) run_once(work, terrain, iteration);
    }

    std::unique_ptr<Operation> clone() const override { return std::make_unique<KernelOperation>(*this); }

  private:
    struct Value {
        double number = 0;
        int whole = 0;
        bool flag = false;
        uint32_t seed = 0;
    };

    static void declare_setting(Declaration& d, const KernelSetting& setting, Value& value) {
        Parameter* parameter = nullptr;
        switch (setting.type) {
            case ParameterType::flag:
                parameter = &d.flag(setting.name, value.flag);
                break;
            case ParameterType::choice:
                parameter = &d.choice(setting.name, value.whole, setting.choices);
                break;
            case ParameterType::seed:
                parameter = &d.seed(setting.name, value.seed);
                break;
            case ParameterType::integer:
                parameter =
                    &d.integer(setting.name, value.whole).range(setting.range.low, setting.range.high);
                break;
            default:
                parameter =
                    &d.number(setting.name, value.number).range(setting.range.low, setting.range.high);
        }
        parameter->unit(setting.unit).help(setting.help);
    }

    bool is_optional(const std::string& name) const { return program_->rules.optional.contains(name); }

    int iterations() const {
        return program_->iterations_setting ? values_[*program_->iterations_setting].whole : 1;
    }

    // The cells that lie within the radius, straight east.
    int radius_cells(const Grid& grid) const {
        double radius = program_->radius;
        if (program_->radius_setting) {
            const Value& value = values_[*program_->radius_setting];
            bool whole = program_->settings[*program_->radius_setting].type == ParameterType::integer;
            radius = whole ? value.whole : value.number;
        }
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
        const Value& value = values_[uniform.setting];
        ParameterType type = program_->settings[uniform.setting].type;
        if (kind == ParameterKind::uniform_float) return float(value.number);
        int whole = type == ParameterType::flag ? int(value.flag) : value.whole;
        if (kind == ParameterKind::uniform_int) return whole;
        return type == ParameterType::seed ? value.seed : uint32_t(whole);
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
    std::vector<Value> values_;
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
    std::unique_ptr<Operation> from = other.clone();
    Declaration to = made->declare();
    Declaration values = from->declare();
    for (Parameter& parameter : to.parameters()) {
        Parameter* old = values.find(parameter.name());
        if (!old || old->type() != parameter.type()) continue;
        try {
            parameter.set_text(old->text());
        } catch (const Error&) {
            // Outside the new range: the new default stays.
        }
    }
    return made;
}

}  // namespace caprock
