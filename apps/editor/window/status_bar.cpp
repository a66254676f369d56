#include "window/status_bar.h"

#include "theme/theme.h"
#include "view/picking.h"
#include "window/trouble_bar.h"

#include <QDateTime>
#include <QFile>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <cmath>

namespace caprock::editor {

namespace {

// What is over in less is not worth a bar that flickers.
constexpr qint64 patience = 200;

qint64 now() { return QDateTime::currentMSecsSinceEpoch(); }

// Bytes that the program holds, or 0 where the system does not say.
double resident_bytes() {
    QFile file("/proc/self/statm");
    if (!file.open(QIODevice::ReadOnly)) return 0;
    QList<QByteArray> words = file.readAll().split(' ');
    return words.size() > 1 ? words[1].toDouble() * 4096 : 0;
}

}  // namespace

StatusBar::StatusBar(Board& board, QWidget* parent) : QStatusBar(parent), board_(board) {
    auto label = [&](const char* name, const QString& tip) {
        auto* made = new QLabel(this);
        made->setObjectName(name);
        made->setToolTip(tip);
        addPermanentWidget(made);
        return made;
    };
    setSizeGripEnabled(false);
    setContentsMargins(0, 0, 10, 0);
    work_title_ = label("work-title", tr("What is being computed"));
    work_bar_ = new QProgressBar(this);
    work_bar_->setObjectName("work-bar");
    work_bar_->setRange(0, 1000);
    work_bar_->setFixedWidth(110);
    work_bar_->setTextVisible(true);
    addPermanentWidget(work_bar_);
    auto button = [&](const char* name, const char* sign, const QString& tip) {
        auto* made = new QToolButton(this);
        made->setObjectName(name);
        made->setText(QString::fromUtf8(sign));
        made->setAutoRaise(true);
        made->setToolTip(tip);
        addPermanentWidget(made);
        return made;
    };
    work_pause_ = button("work-pause", "⏸", tr("Let it wait, or go on (Pause)"));
    work_keep_ =
        button("work-keep", "✓", tr("Keep what the simulation has done so far: it ends after these steps"));
    work_cancel_ = button("work-cancel", "✕", tr("Stop this; the terrain is then as it was before (Esc)"));
    connect(work_pause_, &QToolButton::clicked, this, [this] {
        if (!works_.empty()) Q_EMIT pause_wanted(!works_.back().paused);
    });
    connect(work_keep_, &QToolButton::clicked, this, &StatusBar::keep_wanted);
    connect(work_cancel_, &QToolButton::clicked, this, [this] {
        if (!works_.empty()) Q_EMIT cancel_wanted(works_.back().who);
    });
    unwritten_ =
        label("unwritten-changes", tr("Changes that are only in memory, since they could not be written"));
    set_tone(unwritten_, "warning");
    unwritten_->hide();
    offer_ = new QToolButton(this);
    offer_->setObjectName("offer");
    addPermanentWidget(offer_);
    offer_away_ = button("offer-away", "✕", tr("Leave it as it is"));
    connect(offer_, &QToolButton::clicked, this, [this] {
        std::function<void()> action = offered_;
        take_back_offer();
        if (action) action();
    });
    connect(offer_away_, &QToolButton::clicked, this, &StatusBar::take_back_offer);
    take_back_offer();
    facts_ = label("facts", tr("Cells, their size, and cells that are missing"));
    cursor_ = label("cursor", tr("The place under the cursor, and its height"));
    cursor_->setMinimumWidth(fontMetrics().horizontalAdvance("x 00000.0  y 00000.0  h 0000.0 m"));
    device_ = label("device", tr("What computes"));
    memory_ = label("memory", tr("Memory that Caprock holds"));
    show_work();
    show_memory();
}

void StatusBar::offer(const QString& what, const QString& help, std::function<void()> action) {
    offered_ = std::move(action);
    offer_->setText(what);
    offer_->setToolTip(help);
    offer_->show();
    offer_away_->show();
}

void StatusBar::take_back_offer() {
    offered_ = {};
    offer_->hide();
    offer_away_->hide();
}

void StatusBar::set_document(const DocumentViewPointer& view) {
    if (!view || view->opened) take_back_offer();
    view_ = view;
    update_facts();
    show_memory();
}

void StatusBar::update_facts() {
    if (!view_) {
        facts_->clear();
        return;
    }
    const DocumentState& state = view_->state();
    QLocale locale;
    QString text = QString("%1 × %2 · %3 m")
                       .arg(state.window.width())
                       .arg(state.window.height())
                       .arg(state.grid.cell, 0, 'g', 4);
    if (!board_.empty() && !board_.coarse()) {
        uint32_t missing = board_.ranges().whole().missing;
        text += missing == 0 ? tr(" · none missing") : tr(" · %1 missing").arg(locale.toString(missing));
    }
    if (view_->read_only) text = tr("read only · ") + text;
    facts_->setText(text);
}

void StatusBar::set_unwritten(qint64 changes) {
    unwritten_->setText(tr("⚠ not saved: %1").arg(counted_changes(changes)));
    unwritten_->setVisible(changes > 0);
}

void StatusBar::show_memory() { memory_->setText(tr("%1 GB").arg(resident_bytes() / 1e9, 0, 'f', 1)); }

void StatusBar::set_cursor(double x, double y) {
    if (board_.empty()) return clear_cursor();
    const Terrain& terrain = board_.terrain();
    std::optional<double> height = height_at(terrain.height(), terrain.grid(), x, y);
    QString where = QString("x %1  y %2").arg(x, 0, 'f', 1).arg(y, 0, 'f', 1);
    cursor_->setText(height ? where + QString("  h %1 m").arg(*height, 0, 'f', 1) : where + tr("  missing"));
}

void StatusBar::clear_cursor() { cursor_->clear(); }

void StatusBar::set_device(const QString& name) { device_->setText(name); }

void StatusBar::set_work(const QString& who, const QString& title, double share) {
    auto found = std::ranges::find(works_, who, &Work::who);
    if (found == works_.end()) {
        works_.push_back({.who = who, .title = title, .share = share, .since = now()});
        // Work that never reports again must be seen as well.
        QTimer::singleShot(patience + 20, this, [this] { show_work(); });
    } else {
        found->title = title;
        found->share = share;
    }
    show_work();
}

void StatusBar::set_simulating(const QString& who, bool simulating, bool paused) {
    auto found = std::ranges::find(works_, who, &Work::who);
    if (found == works_.end()) return;
    found->simulating = simulating;
    found->paused = paused;
    show_work();
}

void StatusBar::clear_work(const QString& who) {
    std::erase_if(works_, [&](const Work& work) { return work.who == who; });
    show_work();
    show_memory();
}

void StatusBar::show_work() {
    bool shown = !works_.empty() && now() - works_.back().since >= patience;
    work_title_->setVisible(shown);
    work_bar_->setVisible(shown);
    work_cancel_->setVisible(shown);
    work_pause_->setVisible(shown && works_.back().simulating);
    work_keep_->setVisible(shown && works_.back().simulating);
    if (!shown) return;
    const Work& work = works_.back();
    work_pause_->setText(QString::fromUtf8(work.paused ? "▶" : "⏸"));
    const QString title = work.paused ? tr("%1, paused").arg(work.title) : work.title;
    work_title_->setText(fontMetrics().elidedText(title, Qt::ElideRight, 260));
    work_bar_->setValue(int(work.share * 1000));
}

}  // namespace caprock::editor
