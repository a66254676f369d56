#include "dialogs/screenshot_dialog.h"

#include "base/error.h"
#include "formats/formats.h"
#include "theme/icons.h"
#include "theme/theme.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace caprock::editor {

ScreenshotDialog::ScreenshotDialog(const QSize& current, const QString& path, QWidget* parent)
    : QDialog(parent), current_(current.boundedTo({longest_side, longest_side})) {
    setObjectName("screenshot");
    setWindowTitle(tr("Picture of the view"));
    size_ = new QComboBox;
    size_->setObjectName("screenshot.size");
    size_->setToolTip(tr("Pixels of the picture. It is drawn anew at this size, not scaled."));
    auto add = [this](const QString& words, const QSize& size) {
        size_->addItem(words.arg(size.width()).arg(size.height()), size);
    };
    add(tr("As the view: %1 x %2"), current_);
    add(tr("Full HD: %1 x %2"), {1920, 1080});
    add(tr("4K: %1 x %2"), {3840, 2160});
    size_->addItem(tr("Own size"), QSize());
    width_ = new QSpinBox;
    width_->setObjectName("screenshot.width");
    height_ = new QSpinBox;
    height_->setObjectName("screenshot.height");
    QSettings settings;
    QSize own = settings.value("screenshot/own", QSize(2560, 1440)).toSize();
    for (QSpinBox* side : {width_, height_}) {
        side->setRange(16, longest_side);
        side->setToolTip(tr("Up to %1 pixels.").arg(longest_side));
    }
    width_->setValue(own.width());
    height_->setValue(own.height());
    own_ = new QWidget;
    auto* sides = new QHBoxLayout(own_);
    sides->setContentsMargins(0, 0, 0, 0);
    sides->addWidget(width_, 1);
    sides->addWidget(new QLabel("x"));
    sides->addWidget(height_, 1);

    path_ = new QLineEdit(path);
    path_->setObjectName("screenshot.path");
    path_->setToolTip(tr("Where the picture goes, as a PNG file."));
    auto* browse = new QToolButton;
    browse->setObjectName("screenshot.browse");
    browse->setIcon(icon("folder"));
    browse->setToolTip(tr("Chooses folder and name."));
    auto* file = new QHBoxLayout;
    file->setSpacing(4);
    file->addWidget(path_, 1);
    file->addWidget(browse);

    message_ = new QLabel;
    message_->setObjectName("screenshot.message");
    message_->setWordWrap(true);
    take_ = new QPushButton(icon("camera"), tr("Take picture"));
    take_->setObjectName("screenshot.take");
    take_->setDefault(true);
    auto* cancel = new QPushButton(tr("Cancel"));
    cancel->setObjectName("screenshot.cancel");
    cancel->setToolTip(tr("Takes no picture."));

    auto* form = new QFormLayout;
    form->setHorizontalSpacing(14);
    form->setVerticalSpacing(8);
    form->setLabelAlignment(Qt::AlignLeft);
    form->addRow(tr("Size"), size_);
    form->addRow({}, own_);
    form->addRow(tr("File"), file);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(take_);
    buttons->addWidget(cancel);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 14);
    column->setSpacing(12);
    column->addLayout(form);
    column->addWidget(message_);
    column->addStretch(1);
    column->addLayout(buttons);
    resize(460, 190);

    size_->setCurrentIndex(std::clamp(settings.value("screenshot/choice", 0).toInt(), 0, size_->count() - 1));
    connect(size_, &QComboBox::currentIndexChanged, this, &ScreenshotDialog::refresh);
    connect(path_, &QLineEdit::textChanged, this, &ScreenshotDialog::refresh);
    connect(take_, &QPushButton::clicked, this, &ScreenshotDialog::accept);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(browse, &QToolButton::clicked, this, [this] {
        QString chosen =
            QFileDialog::getSaveFileName(this, tr("Picture"), path_->text(), tr("PNG pictures (*.png)"));
        if (!chosen.isEmpty()) path_->setText(chosen);
    });
    refresh();
}

QSize ScreenshotDialog::picture_size() const {
    QSize size = size_->currentData().toSize();
    return size.isValid() ? size : QSize(width_->value(), height_->value());
}

QString ScreenshotDialog::picture_path() const {
    QString path = path_->text().trimmed();
    if (!path.isEmpty() && QFileInfo(path).suffix().compare("png", Qt::CaseInsensitive) != 0) path += ".png";
    return path;
}

QString ScreenshotDialog::trouble() const {
    if (picture_path().isEmpty()) return tr("Where shall the picture go? Give it a name.");
    try {
        check_writable(picture_path().toStdString(), FileKind::picture);
    } catch (const Error& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

void ScreenshotDialog::refresh() {
    own_->setVisible(!size_->currentData().toSize().isValid());
    QString why = trouble();
    bool there = why.isEmpty() && QFileInfo::exists(picture_path());
    take_->setEnabled(why.isEmpty());
    take_->setToolTip(why.isEmpty() ? tr("Draws the view and writes the file.") : why);
    message_->setText(there ? tr("The file is there already and will be replaced.") : why);
    set_tone(message_, why.isEmpty() ? "muted" : "warning");
}

void ScreenshotDialog::accept() {
    if (!trouble().isEmpty()) return refresh();
    QSettings settings;
    settings.setValue("screenshot/choice", size_->currentIndex());
    settings.setValue("screenshot/own", QSize(width_->value(), height_->value()));
    QDialog::accept();
}

}  // namespace caprock::editor
