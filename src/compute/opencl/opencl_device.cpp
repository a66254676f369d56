#include "compute/opencl/opencl_device.h"

#include "base/text.h"
#include "compute/opencl/copy_speed.h"
#include "compute/opencl/drivers.h"
#include "compute/opencl/handles.h"
#include "compute/opencl/kernel_shelf.h"
#include "compute/opencl/launch_queue.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <deque>
#include <fmt/format.h>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

namespace caprock {

namespace opencl {

namespace {

class OpenClDevice;

// The copy of a whole buffer on an OpenCL device.
class OpenClMirror : public Mirror {
  public:
    OpenClMirror(OpenClDevice& device, Buffer& buffer, Memory memory);
    ~OpenClMirror() override;
    void download(float* to) override;
    void detached() override;

    cl_mem memory() const { return memory_.get(); }

  private:
    friend class OpenClDevice;
    OpenClDevice& owner_;
    Buffer* buffer_;  // while it has this mirror
    size_t bytes_;
    Memory memory_;
    // Among the device's mirrors: of thousands of tiles, none is looked for.
    std::list<OpenClMirror*>::iterator place_;
    bool listed_ = true;
    int pins_ = 0;  // launches that are being put together with it
};

// Everything but what never changes is used under the lock: `guard_`. Kernels are compiled and listeners told without. A launch
// that tells of its progress on the way lets go of it meanwhile; what it works on is pinned, so that it stays.
class OpenClDevice : public Device, public std::enable_shared_from_this<OpenClDevice> {
  public:
    OpenClDevice(const Found& found, const OpenClOptions& options)
        : id_(found.id), description_(found.description), cells_per_part_(options.cells_per_part) {
        uint64_t limit = options.memory_limit.value_or(UINT64_MAX);
        if (const char* text = std::getenv("CAPROCK_DEVICE_MEMORY")) {
            std::optional<uint64_t> bytes = parse_bytes(text);
            if (!bytes) throw Error(fmt::format("CAPROCK_DEVICE_MEMORY={}: give bytes as 512M or 2G", text));
            limit = std::min(limit, *bytes);
        }
        // A tenth is left to the driver and to whoever else draws on this device.
        budget_ = std::min(limit, description_.memory / 10 * 9);
        most_kept_ = std::min<uint64_t>(budget_ / 8, uint64_t(2) << 30);
        largest_ = std::min(budget_, description_.largest_allocation);
        cl_int status = CL_SUCCESS;
        context_.reset(clCreateContext(nullptr, 1, &id_, nullptr, nullptr, &status));
        check(status, "opening the device");
        queue_ = std::make_unique<LaunchQueue>(context_.get(), id_);
        kernels_ = std::make_unique<KernelShelf>(context_.get(), id_, description_);
        if (!rounds_correctly(id_))
            throw DeviceError(
                "it does not round divisions and square roots correctly or flushes denormals, so "
                "its results would differ");
    }

    const DeviceDescription& description() const override { return description_; }
    void time_kernels(bool on) override {
        Lock lock(guard_);
        guarded([&] { queue_->time(on); });
    }
    double kernel_seconds() const override {
        Lock lock(guard_);
        return queue_->seconds();
    }

    void prepare(const Kernel& kernel) override {
        {
            Lock lock(guard_);
            refuse_if_lost();
        }
        compiled(kernel, {});
    }

    void finish() override {
        Lock lock(guard_);
        guarded([&] { queue_->finish(); });
        trials_.clear();
    }

    void inject(Fault fault, int at_launch) {
        Lock lock(guard_);
        fault_ = fault;
        fault_at_ = launches_ + at_launch;
    }
    double copy_bandwidth(uint64_t bytes, int repeats) {
        Lock lock(guard_);
        make_room(budget_);
        return fastest_copy(context_.get(), id_, size_t(std::min({bytes, budget_ / 8, largest_})), repeats);
    }
    OpenClTraffic traffic() const {
        Lock lock(guard_);
        OpenClTraffic now = traffic_;
        now.resident_bytes = used_;
        now.launches = launches_;
        return now;
    }

  protected:
    void run(const Work& work) override {
        begin_launch();
        KernelShelf::Shelved& kernel = compiled(work);
        int64_t told = fits(work) ? run_resident(work, kernel) : run_banded(work, kernel);
        if (work.progress) work.progress->advance(work.cells.cells() - told);
    }

    std::vector<Folded> run_fold(const Work& work) override {
        std::vector<Folded> totals;
        for (const KernelParameter& parameter : work.kernel.parameters())
            if (is_fold(parameter.kind)) totals.push_back(empty_fold(parameter.kind));
        if (work.cells.empty()) return totals;
        begin_launch();
        KernelShelf::Shelved& kernel = compiled(work);
        if (fits(work)) {
            with_residents(work, [&](Lock&, const std::vector<BandPlane>& planes) {
                fold_part(work, kernel, work.cells, planes, totals);
            });
        } else {
            for_bands(work, nullptr, [&](const Rect& band, const std::vector<BandPlane>& planes, Lent&) {
                fold_part(work, kernel, band, planes, totals);
            });
        }
        if (work.progress) work.progress->advance(work.cells.cells());
        return totals;
    }

  private:
    friend class OpenClMirror;

    // A field as one launch of the driver sees it: memory, and the rectangle whose cells are in it.
    struct BandPlane {
        cl_mem memory = nullptr;
        Rect held;
        Rect clip;
    };

    // ---- locks -------------------------------------------------------------------------------------------

    using Lock = std::unique_lock<std::mutex>;

    // Tells how far a launch has come, which may take as long as whoever listens likes, and need this device. Throws Cancelled.
    void tell(Lock& lock, Progress* progress, int64_t cells) {
        if (!progress) return;
        struct Unlocked {
            Lock& lock;
            explicit Unlocked(Lock& held) : lock(held) { lock.unlock(); }
            ~Unlocked() { lock.lock(); }
        };
        {
            Unlocked meanwhile(lock);
            progress->advance(cells);
        }
        refuse_if_lost();
    }

    // ---- failure -----------------------------------------------------------------------------------------

    void refuse_if_lost() const {
        if (lost_) throw DeviceLost(description_.name + " was lost earlier");
    }

    // Runs something, and where the device is lost, makes every buffer forget its copy there.
    template <typename Action>
    void guarded(const Action& action) {
        try {
            action();
        } catch (const DeviceLost&) {
            abandon_everything();
            throw;
        } catch (const DeviceError&) {
            queue_->forget();
            throw;
        }
    }

    void abandon_everything() {
        lost_ = true;
        queue_->forget();
        trials_.clear();
        // A buffer whose only copy was here cannot be told from one that was never written: it keeps the mirror, so
        // that whoever looks is told, and the run that made it starts over elsewhere.
        while (!mirrors_.empty()) {
            OpenClMirror& mirror = *mirrors_.front();
            if (mirror.buffer_->abandon_mirror()) continue;
            mirror.memory_.reset();
            unlist(mirror);
        }
    }

    void begin_launch() {
        Lock lock(guard_);
        guarded([&] {
            refuse_if_lost();
            int number = launches_++;
            if (fault_ == Fault::none || number != fault_at_) return;
            Fault fault = std::exchange(fault_, Fault::none);
            check(fault == Fault::lost ? CL_DEVICE_NOT_AVAILABLE : CL_MEM_OBJECT_ALLOCATION_FAILURE,
                  "running a kernel");
        });
    }

    // ---- kernels -----------------------------------------------------------------------------------------

    // Without the lock: a driver's compiler may take seconds.
    KernelShelf::Shelved& compiled(const Kernel& kernel, const std::set<std::string>& absent) {
        try {
            return kernels_->compiled(kernel, absent);
        } catch (const DeviceLost&) {
            Lock lock(guard_);
            abandon_everything();
            throw;
        }
    }
    KernelShelf::Shelved& compiled(const Work& work) {
        std::set<std::string> absent;
        const std::vector<KernelParameter>& given = work.kernel.given_parameters();
        for (size_t i = 0; i < given.size(); i++)
            if (is_field(given[i].kind) && !work.arguments[i].plane()->read) absent.insert(given[i].name);
        return compiled(work.kernel, absent);
    }

    // ---- copies ------------------------------------------------------------------------------------------

    void read_back(cl_mem memory, size_t offset, size_t bytes, void* to) {
        guarded([&] { queue_->read(memory, offset, bytes, to); });
        trials_.clear();
        traffic_.downloads++;
    }
    void send(cl_mem memory, size_t bytes, const void* from) {
        guarded([&] { queue_->send(memory, bytes, from); });
        traffic_.uploads++;
    }

    // ---- memory ------------------------------------------------------------------------------------------

    bool fits(const Work& work) const {
        uint64_t all = 0;
        for (const Argument& argument : work.arguments) {
            if (!argument.plane() || !argument.plane()->read) continue;
            uint64_t bytes = argument.plane()->read->buffer->bytes();
            if (bytes > largest_) return false;
            all += bytes;
        }
        return all <= budget_;
    }

    struct Kept {
        size_t bytes;
        Memory memory;
    };

    // Memory that fields gave back is kept for the next of its size: taking it anew costs a driver more than most launches
    // do. The queue keeps the order, so that whoever used it before is done when it is used again.
    void keep(Memory memory, size_t bytes) {
        bytes = roomy(bytes);
        if (lost_ || !memory || bytes > most_kept_) return;
        while (kept_bytes_ + bytes > most_kept_) forget_oldest();
        kept_bytes_ += bytes;
        kept_.push_back({bytes, std::move(memory)});
    }
    void forget_oldest() {
        kept_bytes_ -= kept_.front().bytes;
        kept_.pop_front();
    }

    // Fields of nearly one size take memory of one size: an eighth more at the most.
    static size_t roomy(size_t bytes) {
        size_t step = std::max<size_t>(std::bit_floor(bytes) / 8, 256);
        return (bytes + step - 1) / step * step;
    }

    Memory allocate(size_t bytes) {
        bytes = std::min(roomy(bytes), std::max(bytes, size_t(largest_)));
        auto fitting = std::ranges::find(kept_, bytes, &Kept::bytes);
        if (fitting != kept_.end()) {
            Memory memory = std::move(fitting->memory);
            kept_.erase(fitting);
            kept_bytes_ -= bytes;
            return memory;
        }
        make_room(bytes);
        cl_int status = CL_SUCCESS;
        Memory memory(clCreateBuffer(context_.get(), CL_MEM_READ_WRITE, bytes, nullptr, &status));
        if (status == CL_MEM_OBJECT_ALLOCATION_FAILURE || status == CL_OUT_OF_RESOURCES) {
            // Somebody else holds memory we counted on: give up what is not in use right now and try once
            // more.
            make_room(budget_);
            memory.reset(clCreateBuffer(context_.get(), CL_MEM_READ_WRITE, bytes, nullptr, &status));
        }
        check(status, "taking device memory");
        return memory;
    }

    // Pushes out the fields used longest ago, until so many more bytes fit in the budget.
    void make_room(size_t bytes) {
        auto candidate = mirrors_.begin();
        while (used_ + kept_bytes_ + bytes > budget_) {
            if (!kept_.empty()) {
                forget_oldest();
                continue;
            }
            if (candidate == mirrors_.end()) break;
            OpenClMirror* mirror = *candidate++;
            if (mirror->pins_ == 0) mirror->buffer_->drop_mirror(guard_);
        }
    }

    void unlist(OpenClMirror& mirror) {
        if (std::exchange(mirror.listed_, false)) mirrors_.erase(mirror.place_);
    }

    // What a launch works on stays while it is put together: room for its tables and sums is made of something else, also
    // when others have the device between its parts.
    class Pins {
      public:
        explicit Pins(size_t count) : held_(count) {}
        ~Pins() {
            for (const Pinned& pinned : held_)
                if (pinned.mirror) pinned.mirror->pins_--;
        }
        Pins(const Pins&) = delete;
        Pins& operator=(const Pins&) = delete;
        void pin(size_t index, Buffer::Residence found) {
            held_[index] = {std::static_pointer_cast<OpenClMirror>(std::move(found.mirror)), found.current};
            held_[index].mirror->pins_++;
        }
        OpenClMirror* operator[](size_t index) const { return held_[index].mirror.get(); }
        bool current(size_t index) const { return held_[index].current; }

      private:
        struct Pinned {
            std::shared_ptr<OpenClMirror> mirror;
            bool current = false;  // when it was pinned
        };
        std::vector<Pinned> held_;
    };

    static Buffer* buffer_of(const Argument& argument) {
        return argument.plane() && argument.plane()->read ? argument.plane()->read->buffer.get() : nullptr;
    }

    // Brings the fields of a launch here, with their cells where it needs them. False where one is on another device, for which
    // this one's lock is none.
    bool make_resident(const Work& work, Pins& pins) {
        const std::vector<KernelParameter>& parameters = work.kernel.given_parameters();
        // Those that are here first, so that none of them makes room for another.
        for (size_t i = 0; i < work.arguments.size(); i++) {
            Buffer* buffer = buffer_of(work.arguments[i]);
            if (!buffer) continue;
            Buffer::Residence found = buffer->residence(guard_);
            if (found.elsewhere) return false;
            if (found.mirror) pins.pin(i, std::move(found));
        }
        for (size_t i = 0; i < work.arguments.size(); i++) {
            Buffer* buffer = buffer_of(work.arguments[i]);
            if (!buffer) continue;
            if (!pins[i] && !take_in(*buffer, i, pins)) return false;
            mirrors_.splice(mirrors_.end(), mirrors_, pins[i]->place_);
            ParameterKind kind = parameters[i].kind;
            bool overwritten = kind == ParameterKind::tally ||
                               (is_overwritten(kind) && work.arguments[i].plane()->within(work.cells));
            if (overwritten || pins.current(i)) continue;
            // It is up to date neither here nor on another device: so it is on the host.
            send(pins[i]->memory(), buffer->readable_bytes(), buffer->read());
            buffer->mark_current(*pins[i]);
        }
        return true;
    }

    bool take_in(Buffer& buffer, size_t index, Pins& pins) {
        Buffer::Residence found = buffer.residence(guard_);  // a field may stand in two places of a launch
        if (!found.mirror) {
            found.mirror = std::make_shared<OpenClMirror>(*this, buffer, allocate(buffer.bytes()));
            if (!buffer.adopt(found.mirror)) {
                found.mirror->detached();
                return false;
            }
        }
        pins.pin(index, std::move(found));
        return true;
    }

    // Runs something under the lock, with the fields of the work here.
    template <typename Action>
    void with_residents(const Work& work, const Action& action) {
        while (true) {
            {
                Lock lock(guard_);
                Pins pins(work.arguments.size());
                bool all_here = false;
                guarded([&] {
                    refuse_if_lost();
                    all_here = make_resident(work, pins);
                    if (!all_here) return;
                    action(lock, resident_planes(work, pins));
                    mark_written(work, pins);
                });
                if (all_here) return;
            }
            for (const Argument& argument : work.arguments)
                if (Buffer* buffer = buffer_of(argument)) buffer->leave_devices(&guard_);
        }
    }

    static std::vector<BandPlane> resident_planes(const Work& work, const Pins& pins) {
        std::vector<BandPlane> planes(work.arguments.size());
        for (size_t i = 0; i < planes.size(); i++) {
            if (!pins[i]) continue;
            const Plane& whole = *work.arguments[i].plane()->read;
            planes[i] = {pins[i]->memory(), whole.home, whole.rect};
        }
        return planes;
    }

    static void mark_written(const Work& work, const Pins& pins) {
        const std::vector<KernelParameter>& parameters = work.kernel.given_parameters();
        for (size_t i = 0; i < work.arguments.size(); i++)
            if (pins[i] && is_written(parameters[i].kind))
                work.arguments[i].plane()->write->buffer->mark_written(*pins[i]);
    }

    // Memory of one launch for what is not a field: tables, parts of folds, sums that run down columns. It is kept for the
    // next launch: a driver that is told to give memory back waits for those who use it.
    class Lent {
      public:
        explicit Lent(OpenClDevice& device) : device_(device) {}
        ~Lent() {
            for (Kept& kept : held_) device_.keep(std::move(kept.memory), kept.bytes);
        }
        Lent(const Lent&) = delete;
        Lent& operator=(const Lent&) = delete;
        cl_mem take(size_t bytes) {
            held_.push_back({bytes, device_.allocate(bytes)});
            return held_.back().memory.get();
        }

      private:
        OpenClDevice& device_;
        std::vector<Kept> held_;
    };

    std::vector<cl_mem> running_sums(const Work& work, Lent& lent) {
        std::vector<cl_mem> sums;
        for (const KernelParameter& parameter : work.kernel.parameters()) {
            if (parameter.kind != ParameterKind::down) continue;
            size_t bytes = size_t(work.cells.width()) * sizeof(cl_ulong);
            sums.push_back(lent.take(bytes));
            queue_->clear(sums.back(), 0, bytes);
        }
        return sums;
    }

    // ---- launches ----------------------------------------------------------------------------------------

    // Both give how many cells they have told of: the rest is for when the lock is free.
    int64_t run_resident(const Work& work, KernelShelf::Shelved& kernel) {
        int64_t told = 0;
        with_residents(work, [&](Lock& lock, const std::vector<BandPlane>& planes) {
            Lent lent(*this);
            std::vector<cl_mem> sums = running_sums(work, lent);
            int64_t cells_of_row = int64_t(work.cells.width()) * work.planes();
            int rows = int(std::clamp<int64_t>(cells_per_part_ / cells_of_row, 1, work.cells.height()));
            for (int top = work.cells.top; top < work.cells.bottom; top += rows) {
                Rect part = work.cells;
                part.top = top;
                part.bottom = std::min(top + rows, work.cells.bottom);
                enqueue(work, kernel, part, planes, sums, part.height());
                if (part.bottom == work.cells.bottom) break;
                tell(lock, work.progress, part.cells());
                told += part.cells();
            }
        });
        return told;
    }

    // Work that is larger than the device: bands of rows, each sent with the rows around it that it reads.
    int64_t run_banded(const Work& work, KernelShelf::Shelved& kernel) {
        const std::vector<KernelParameter>& parameters = work.kernel.given_parameters();
        std::vector<cl_mem> sums;
        for_bands(
            work, work.progress, [&](const Rect& band, const std::vector<BandPlane>& planes, Lent& lent) {
                if (band.top == work.cells.top) sums = running_sums(work, lent);
                enqueue(work, kernel, band, planes, sums, band.height());
                for (size_t i = 0; i < work.arguments.size(); i++) {
                    if (!is_written(parameters[i].kind) || !work.arguments[i].plane()->write) continue;
                    Plane& plane = *work.arguments[i].plane()->write;
                    float* to = plane.buffer->write() + plane.index(plane.home.left, planes[i].held.top);
                    size_t bytes = size_t(planes[i].held.cells()) * sizeof(float);
                    read_back(planes[i].memory, 0, bytes, to);
                }
            });
        return work.cells.cells();
    }

    // The rows of a field that a band of the launch reads or writes, whole rows of its buffer.
    static Rect rows_for(const Work& work, ParameterKind kind, const Plane& plane, const Rect& band) {
        int top = band.top;
        int bottom = band.bottom;
        if (kind == ParameterKind::finer) {
            top = 2 * top;
            bottom = 2 * (bottom - 1) + 1;
        } else if (kind == ParameterKind::coarser) {
            top = top >> 1;
            bottom = ((bottom - 1) >> 1) + 1;
        }
        if (!is_written(kind) && kind != ParameterKind::in && kind != ParameterKind::in_stack) {
            top -= work.radius;
            bottom += work.radius;
        }
        // Loads beyond the border repeat the border's row, which then has to be there.
        const Rect& rect = plane.rect;
        top = std::clamp(top, rect.top, rect.bottom - 1);
        bottom = std::clamp(bottom, top + 1, rect.bottom);
        return {plane.home.left, top, plane.home.right, bottom};
    }

    // `action` has memory that lasts for all bands, too.
    template <typename Action>
    void for_bands(const Work& work, Progress* progress, const Action& action) {
        std::vector<ParameterKind> kinds;
        for (const KernelParameter& parameter : work.kernel.given_parameters())
            kinds.push_back(parameter.kind);
        auto bytes_of_band = [&](const Rect& band) {
            uint64_t all = 0;
            for (size_t i = 0; i < kinds.size(); i++) {
                if (!is_field(kinds[i]) || !work.arguments[i].plane()->read) continue;
                uint64_t bytes =
                    uint64_t(rows_for(work, kinds[i], *work.arguments[i].plane()->read, band).cells()) * 4;
                if (bytes > largest_) return UINT64_MAX;
                all += bytes;
            }
            return all;
        };
        for (ParameterKind kind : kinds)
            if (kind == ParameterKind::anywhere)
                throw DeviceError("the work is larger than the device's memory and cannot be cut into bands");
        // Bands are made of the host's cells. These are up to date then, and stay so: nobody writes them but this launch.
        for (const Argument& argument : work.arguments)
            if (Buffer* buffer = buffer_of(argument)) buffer->read();
        auto bottom_of_band = [&](Rect band) {
            int rows = work.cells.bottom - band.top;
            while (true) {
                band.bottom = band.top + rows;
                if (bytes_of_band(band) <= budget_ / 2) return band.bottom;
                if (rows == 1)
                    throw DeviceError(
                        fmt::format("one row of the work needs more than its {}", bytes_text(budget_ / 2)));
                rows = (rows + 1) / 2;
            }
        };
        auto run_band = [&](const Rect& band, Lent& lent) {
            std::vector<Memory> held;
            std::vector<BandPlane> planes(kinds.size());
            for (size_t i = 0; i < kinds.size(); i++) {
                if (!is_field(kinds[i]) || !work.arguments[i].plane()->read) continue;
                const Plane& plane = *work.arguments[i].plane()->read;
                Rect there = rows_for(work, kinds[i], plane, band);
                size_t bytes = size_t(there.cells()) * sizeof(float);
                held.push_back(allocate(bytes));
                planes[i] = {held.back().get(), there, plane.rect};
                // Outputs too: a launch may cover only part of a row.
                ptrdiff_t first = plane.index(there.left, there.top);
                size_t readable = plane.buffer->readable_bytes() - size_t(first) * sizeof(float);
                send(held.back().get(), std::min(bytes, readable), plane.buffer->read() + first);
            }
            action(band, planes, lent);
            traffic_.bands++;
            queue_->finish();
        };
        Lock lock(guard_);
        guarded([&] {
            refuse_if_lost();
            // Fields at rest make room for the work.
            make_room(budget_);
            Lent lent(*this);
            for (Rect band = work.cells; band.top < work.cells.bottom; band.top = band.bottom) {
                band.bottom = bottom_of_band(band);
                run_band(band, lent);
                tell(lock, progress, band.cells());
            }
        });
    }

    void fold_part(const Work& work, KernelShelf::Shelved& kernel, const Rect& cells,
                   const std::vector<BandPlane>& planes, std::vector<Folded>& totals) {
        // Few enough parts for the host to add up, many enough to keep a GPU busy.
        constexpr int most_parts = 1 << 16;
        int groups = std::clamp(most_parts / cells.width(), 1, cells.height());
        int rows = (cells.height() + groups - 1) / groups;
        groups = (cells.height() + rows - 1) / rows;
        size_t parts = size_t(groups) * size_t(cells.width());
        Lent lent(*this);
        std::vector<cl_mem> handles;
        std::vector<ParameterKind> kinds;
        for (const KernelParameter& parameter : work.kernel.parameters()) {
            if (!is_fold(parameter.kind)) continue;
            kinds.push_back(parameter.kind);
            handles.push_back(lent.take(parts * (parameter.kind == ParameterKind::fold_sum ? 8 : 4)));
        }
        enqueue(work, kernel, cells, planes, handles, groups, rows);
        for (size_t i = 0; i < kinds.size(); i++) {
            if (kinds[i] == ParameterKind::fold_sum) {
                std::vector<cl_ulong> sums(parts);
                read_back(handles[i], 0, parts * sizeof(cl_ulong), sums.data());
                for (cl_ulong sum : sums) totals[i].sum += sum;
            } else {
                std::vector<float> extremes(parts);
                read_back(handles[i], 0, parts * sizeof(float), extremes.data());
                for (float extreme : extremes) merge(kinds[i], totals[i], {extreme, 0});
            }
        }
    }

    void enqueue(const Work& work, KernelShelf::Shelved& kernel, const Rect& cells,
                 const std::vector<BandPlane>& planes, const std::vector<cl_mem>& results, int groups,
                 int rows_each = 1) {
        cl_uint slot = 0;
        auto set = [&](size_t size, const void* value) {
            check(clSetKernelArg(kernel.handle.get(), slot++, size, value), "passing a kernel its arguments");
        };
        cl_int4 region = {{cells.left, cells.top, cells.right, cells.bottom}};
        set(sizeof region, &region);
        int second = work.kernel.folds() ? rows_each : work.radius;
        set(sizeof second, &second);
        Lent tables(*this);
        size_t next = 0;
        size_t next_result = 0;
        for (const KernelParameter& parameter : work.kernel.parameters()) {
            if (parameter.kind == ParameterKind::along) continue;
            if (!is_given(parameter.kind)) {
                set(sizeof(cl_mem), &results[next_result++]);
                continue;
            }
            const Argument& argument = work.arguments[next];
            const BandPlane& plane = planes[next++];
            if (is_field(parameter.kind)) {
                const Stack* stack = argument.plane()->stack;
                cl_int8 shape = {{plane.held.left, plane.held.top, plane.held.width(),
                                  stack ? stack->pitch : 0, plane.clip.left, plane.clip.top, plane.clip.right,
                                  plane.clip.bottom}};
                set(sizeof(cl_mem), &plane.memory);
                set(sizeof shape, &shape);
                if (is_stack(parameter.kind)) {
                    cl_int count = stack ? stack->planes : 0;
                    set(sizeof count, &count);
                }
                if (parameter.kind == ParameterKind::tally) {
                    size_t row = size_t(plane.held.width()) * sizeof(float);
                    queue_->clear(plane.memory, size_t(cells.top - plane.held.top) * row,
                                  size_t(cells.height()) * row);
                }
            } else if (is_table(parameter.kind)) {
                cl_mem memory = handed_over(*argument.table(), tables);
                set(sizeof memory, &memory);
            } else if (parameter.kind == ParameterKind::uniform_float) {
                float value = argument.uniform<float>();
                set(sizeof value, &value);
            } else if (parameter.kind == ParameterKind::uniform_int) {
                int32_t value = argument.uniform<int32_t>();
                set(sizeof value, &value);
            } else {
                uint32_t value = argument.uniform<uint32_t>();
                set(sizeof value, &value);
            }
        }
        std::array<size_t, 2> global = {size_t(cells.width() + 63) / 64 * 64, size_t(groups + 3) / 4 * 4};
        std::array<size_t, 2> local = {64, 4};
        if (work.kernel.has(ParameterKind::along)) {
            global[0] = local[0] = 256;  // ALONG_GROUP
            global[1] = size_t(cells.height());
            local[1] = 1;
        } else if (work.kernel.whole_columns()) {
            global[1] = local[1] = 1;
        }
        // It counts as proven when something that was launched later than this has come to its end.
        if (kernel.trial) trials_.push_back(*std::exchange(kernel.trial, std::nullopt));
        queue_->launch(kernel.handle.get(), global, local, cells.cells() * work.planes());
    }

    cl_mem handed_over(const TableArgument& table, Lent& lent) {
        std::vector<char> bytes(std::max<size_t>(table.bytes, 4));
        std::copy_n(static_cast<const char*>(table.data), table.bytes, bytes.data());
        cl_mem memory = lent.take(bytes.size());
        queue_->hand_over(memory, std::move(bytes));
        return memory;
    }

    mutable std::mutex guard_;
    cl_device_id id_;
    DeviceDescription description_;
    int64_t cells_per_part_;
    uint64_t budget_ = 0;
    uint64_t largest_ = 0;
    uint64_t used_ = 0;
    uint64_t most_kept_ = 0;
    uint64_t kept_bytes_ = 0;
    Context context_;
    std::unique_ptr<KernelShelf> kernels_;
    std::deque<Kept> kept_;               // given back longest ago first
    std::unique_ptr<LaunchQueue> queue_;  // done before what its launches use is gone
    std::list<OpenClMirror*> mirrors_;    // used longest ago first
    std::vector<CodeTrial>
        trials_;  // of kernels that were launched and are not known to have come to their end
    OpenClTraffic traffic_;
    bool lost_ = false;
    Fault fault_ = Fault::none;
    int fault_at_ = 0;
    int launches_ = 0;
};

OpenClMirror::OpenClMirror(OpenClDevice& device, Buffer& buffer, Memory memory)
    : Mirror(std::shared_ptr<std::mutex>(device.shared_from_this(), &device.guard_)),
      owner_(device),
      buffer_(&buffer),
      bytes_(buffer.bytes()),
      memory_(std::move(memory)) {
    place_ = owner_.mirrors_.insert(owner_.mirrors_.end(), this);
    owner_.used_ += bytes_;
}

OpenClMirror::~OpenClMirror() {
    owner_.unlist(*this);
    owner_.used_ -= bytes_;
    owner_.keep(std::move(memory_), bytes_);
}

void OpenClMirror::download(float* to) {
    if (!memory_) throw DeviceLost(owner_.name() + " was lost with cells that were only in its memory");
    owner_.read_back(memory_.get(), 0, bytes_, to);
}

void OpenClMirror::detached() {
    owner_.unlist(*this);
    buffer_ = nullptr;
}

}  // namespace

}  // namespace opencl

std::vector<DeviceDescription> opencl_descriptions(OpenClSearch search) {
    std::vector<DeviceDescription> descriptions;
    for (const opencl::Found& found : opencl::find_devices(search)) descriptions.push_back(found.description);
    return descriptions;
}

std::shared_ptr<Device> open_opencl_device(size_t index, const OpenClOptions& options, OpenClSearch search) {
    std::vector<opencl::Found> found = opencl::find_devices(search);
    if (index >= found.size()) throw DeviceError("there is no such OpenCL device");
    return std::make_shared<opencl::OpenClDevice>(found[index], options);
}

void inject_fault(Device& opencl_device, Fault fault, int at_launch) {
    dynamic_cast<opencl::OpenClDevice&>(opencl_device).inject(fault, at_launch);
}

double opencl_copy_bandwidth(Device& opencl_device, uint64_t bytes, int repeats) {
    return dynamic_cast<opencl::OpenClDevice&>(opencl_device).copy_bandwidth(bytes, repeats);
}

OpenClTraffic opencl_traffic(const Device& opencl_device) {
    return dynamic_cast<const opencl::OpenClDevice&>(opencl_device).traffic();
}

}  // namespace caprock
