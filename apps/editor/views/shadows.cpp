#include "views/shadows.h"

#include "core/thread_priority.h"

#include <utility>

namespace caprock::editor {

Shadows::Shadows(QObject* parent) : QObject(parent) {
    qRegisterMetaType<ShadowMapPointer>("caprock::editor::ShadowMapPointer");
    thread_ = std::thread([this] {
        give_way_to_the_window();
        work();
    });
}

Shadows::~Shadows() {
    {
        std::lock_guard lock(guard_);
        ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void Shadows::make(Field heights, double cell, int coarser, double exaggeration, const Sun& sun) {
    {
        std::lock_guard lock(guard_);
        next_ = Request{std::move(heights), cell, coarser, exaggeration, sun};
    }
    changed_.notify_all();
}

void Shadows::work() {
    std::unique_lock lock(guard_);
    for (;;) {
        changed_.wait(lock, [this] { return ending_ || next_; });
        if (ending_) return;
        Request request = std::move(*next_);
        next_.reset();
        lock.unlock();
        auto map = std::make_shared<ShadowMap>(ShadowMap{
            LightMap(request.heights, request.cell, request.exaggeration, request.sun), request.coarser});
        Q_EMIT made(std::move(map));
        lock.lock();
    }
}

}  // namespace caprock::editor
