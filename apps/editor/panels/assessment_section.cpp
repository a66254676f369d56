#include "panels/assessment_section.h"

#include "base/error.h"
#include "base/memory.h"
#include "core/thread_priority.h"
#include "dialogs/start_page.h"
#include "formats/terrain_reader.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <exception>
#include <fmt/format.h>
#include <utility>

namespace caprock::editor {

namespace {

const QString reference_folder_key = QStringLiteral("folders/assessment");

struct ReferenceGround {
    Field height;
    double cell = 0;
};

ReferenceGround reference_ground(const std::string& path, Progress& progress) {
    ReadOptions options;
    options.to_metres = true;
    const std::unique_ptr<TerrainSource> source =
        open_terrain(path, options, {&progress, [](const std::string&) {}});
    const Terrain shape = source->shape();
    require_memory(bytes_to_assess(shape.rect()), "assessing it");
    return {source->read_field(std::string(ground_quantity().name), shape.rect()), shape.grid().cell};
}

Yardstick yardstick_of(const QString& path, Progress& progress) {
    if (path.isEmpty()) return real_land();
    const ReferenceGround ground = reference_ground(path.toStdString(), progress);
    const Assessment whole = assess(ground.height, ground.cell, progress);
    std::vector<Assessment> parts;
    for (const Rect& quarter : quarters_of(ground.height.rect()))
        parts.push_back(assess(ground.height.cropped(quarter), ground.cell, progress));
    return like_land(QFileInfo(path).fileName().toStdString(), whole, parts);
}

QString html(const std::string& text) { return QString::fromStdString(text).toHtmlEscaped(); }

}  // namespace

AssessmentSection::AssessmentSection(Board& board, QWidget* parent) : QWidget(parent), board_(board) {
    setObjectName("assessment_section");
    pool_.setMaxThreadCount(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    auto* top = new QHBoxLayout;
    top->setSpacing(10);
    auto* heading = new QLabel(tr("Like land?"));
    QFont font = heading->font();
    font.setBold(true);
    heading->setFont(font);
    top->addWidget(heading);
    beside_ = new QComboBox;
    beside_->setObjectName("assessment_beside");
    beside_->setToolTip(tr("What the land is held against"));
    beside_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    beside_->setMinimumContentsLength(8);
    beside_->addItem(tr("Real land"), QString());
    beside_->addItem(tr("A file…"));
    top->addWidget(beside_, 1);
    layout->addLayout(top);
    button_ = new QPushButton;
    button_->setObjectName("assessment_button");
    button_->setToolTip(tr("Measures hollows, streams, slopes and landforms of the land as it is now"));
    layout->addWidget(button_);
    const auto add_label = [&](const char* name) {
        auto* label = new QLabel;
        label->setObjectName(name);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        label->hide();
        layout->addWidget(label);
        return label;
    };
    message_ = add_label("assessment_message");
    result_ = add_label("assessment_result");
    result_->setTextFormat(Qt::RichText);

    connect(button_, &QPushButton::clicked, this, &AssessmentSection::assess_or_stop);
    connect(beside_, &QComboBox::activated, this, &AssessmentSection::choose);
    connect(&board_, &Board::replaced, this, &AssessmentSection::board_changed);
    connect(&board_, &Board::rewritten, this, &AssessmentSection::board_changed);
    board_changed();
}

AssessmentSection::~AssessmentSection() {
    if (progress_) progress_->cancel();
    pool_.waitForDone();
}

QString AssessmentSection::reference() const { return beside_->itemData(chosen_).toString(); }

void AssessmentSection::hold_against(const QString& path) {
    QSignalBlocker blocker(beside_);
    int at = beside_->findData(path);
    if (at < 0) {
        // Before the last, which asks for another.
        at = beside_->count() - 1;
        beside_->insertItem(at, QFileInfo(path).fileName(), path);
        beside_->setItemData(at, path, Qt::ToolTipRole);
    }
    chosen_ = at;
    beside_->setCurrentIndex(at);
}

void AssessmentSection::choose() {
    if (beside_->currentIndex() + 1 < beside_->count()) {
        chosen_ = beside_->currentIndex();
        return;
    }
    const QString path = QFileDialog::getOpenFileName(this, tr("Elevation data to hold the land against"),
                                                      QSettings().value(reference_folder_key).toString(),
                                                      StartPage::import_filter());
    if (path.isEmpty()) {
        beside_->setCurrentIndex(chosen_);
        return;
    }
    QSettings().setValue(reference_folder_key, QFileInfo(path).absolutePath());
    hold_against(path);
}

void AssessmentSection::assess_or_stop() {
    if (progress_) {
        progress_->cancel();
    } else if (!board_.empty() && !board_.coarse()) {
        start();
    }
}

void AssessmentSection::start() {
    // The board's cells are written where they lie.
    Field height;
    try {
        height = board_.terrain().height().copied();
    } catch (const Error& error) {
        message_->setText(QString::fromUtf8(error.what()));
        message_->show();
        return;
    }
    const double cell = board_.terrain().grid().cell;
    progress_ = std::make_shared<Progress>();
    changed_ = false;
    message_->hide();
    board_changed();
    pool_.start([this, height = std::move(height), cell, path = reference(), progress = progress_] {
        give_way_to_the_window();
        QString trouble;
        auto outcome = std::make_shared<Outcome>();
        try {
            outcome->yardstick = yardstick_of(path, *progress);
            outcome->land = assess(height, cell, *progress);
        } catch (const Cancelled&) {
            trouble = tr("Stopped.");
        } catch (const std::exception& error) {
            trouble = QString::fromUtf8(error.what());
        }
        QMetaObject::invokeMethod(this, [this, outcome, trouble, progress] {
            if (trouble.isEmpty()) show_outcome(*outcome);
            end(progress, trouble);
        });
    });
}

void AssessmentSection::end(const std::shared_ptr<Progress>& progress, const QString& message) {
    if (progress_ == progress) progress_.reset();
    message_->setText(message);
    message_->setVisible(!message.isEmpty());
    // What came while it was computed is not in it.
    board_changed();
}

void AssessmentSection::board_changed() {
    button_->setText(progress_ ? tr("Stop") : tr("Assess"));
    button_->setEnabled(progress_ || (!board_.empty() && !board_.coarse()));
    if (sender() == &board_) changed_ = true;
    if (!progress_ && changed_ && !result_->isHidden()) {
        message_->setText(tr("The land has changed since."));
        message_->show();
    }
}

void AssessmentSection::show_outcome(const Outcome& outcome) {
    const std::vector<Finding> findings = compared(outcome.land, outcome.yardstick);
    QString rows, words;
    int held = 0, unlike = 0;
    for (const Finding& finding : findings) {
        held += finding.likeness != Likeness::unknown;
        unlike += finding.unlike();
        const MeasureUnit unit = finding.measure->unit;
        QString value =
            finding.here.known() ? html(measure_text(unit, finding.here.value())) : QStringLiteral("–");
        if (finding.unlike()) value = "<b>" + value + "</b>";
        const QString range = finding.range ? html(measure_text(unit, *finding.range)) : QStringLiteral("–");
        rows += QStringLiteral("<tr><td>%1</td><td align=\"right\">%2&nbsp;&nbsp;</td><td>%3</td></tr>")
                    .arg(html(std::string(finding.measure->title)), value, range);
        if (finding.unlike() || !finding.here.known())
            words += "<p>" + html(words_of(finding, outcome.yardstick)) + "</p>";
    }
    const std::string remark = remark_on(outcome.land, outcome.yardstick);
    if (!remark.empty()) words += "<p><i>" + html(remark) + "</i></p>";
    const QString name = html(outcome.yardstick.name);
    const QString summary = unlike > 0 ? tr("Unlike %1 in %2 of %3 measures").arg(name).arg(unlike).arg(held)
                                       : tr("Like %1 in all %2 measures").arg(name).arg(held);
    result_->setText("<p><b>" + summary + "</b></p><table>" + rows + "</table>" + words);
    result_->show();
}

}  // namespace caprock::editor
