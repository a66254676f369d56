#include "core/photographer.h"

#include "core/thread_priority.h"
#include "formats/formats.h"

#include <QFileInfo>
#include <algorithm>
#include <utility>

namespace caprock::editor {

namespace {

// How much of the work is drawing; the rest is for the file.
constexpr int64_t all_work = 100;
constexpr int64_t drawing = 70;

}  // namespace

Photographer::Photographer(QObject* parent) : QObject(parent) { pool_.setMaxThreadCount(1); }

Photographer::~Photographer() { pool_.waitForDone(); }

void Photographer::take(Shot shot, Size size, const QString& path) {
    QString title = tr("Picture %1").arg(QFileInfo(path).fileName());
    auto progress = std::make_shared<Progress>([this, title](double share) { Q_EMIT working(title, share); });
    {
        std::lock_guard lock(guard_);
        wanted_.push_back({path, progress});
    }
    pool_.start([this, shot = std::move(shot), size, path, title, progress] {
        give_way_to_the_window();
        Q_EMIT working(title, 0);
        QString trouble;
        bool was_stopped = false;
        try {
            progress->expect(all_work);
            Progress while_drawing(*progress, drawing);
            Picture picture = shot(size, while_drawing);
            progress->advance(drawing);
            Progress while_writing(*progress, all_work - drawing);
            write_picture(picture, path.toStdString(), {&while_writing, nullptr});
        } catch (const Cancelled&) {
            was_stopped = true;
        } catch (const std::exception& error) {
            trouble = QString::fromStdString(error.what());
        }
        {
            std::lock_guard lock(guard_);
            wanted_.pop_front();
        }
        Q_EMIT rested();
        if (was_stopped)
            Q_EMIT stopped();
        else if (!trouble.isEmpty())
            Q_EMIT failed(trouble);
        else
            Q_EMIT taken(path);
    });
}

void Photographer::cancel() {
    std::lock_guard lock(guard_);
    if (!wanted_.empty()) wanted_.front().progress->cancel();
}

bool Photographer::will_write(const QString& path) const {
    std::lock_guard lock(guard_);
    return std::ranges::find(wanted_, path, &Wanted::path) != wanted_.end();
}

bool Photographer::busy() const {
    std::lock_guard lock(guard_);
    return !wanted_.empty();
}

}  // namespace caprock::editor
