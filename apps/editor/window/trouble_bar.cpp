#include "window/trouble_bar.h"

#include "theme/theme.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace caprock::editor {

QString counted_changes(qint64 changes) {
    return changes == 1 ? TroubleBar::tr("1 change") : TroubleBar::tr("%1 changes").arg(changes);
}

TroubleBar::TroubleBar(QWidget* parent) : QFrame(parent) {
    setObjectName("trouble");
    set_tone(this, "alarm");
    what_ = new QLabel(this);
    what_->setObjectName("trouble-what");
    what_->setTextFormat(Qt::PlainText);
    what_->setWordWrap(true);
    set_tone(what_, "alarm");
    QFont font = what_->font();
    font.setBold(true);
    what_->setFont(font);
    remedy_ = new QLabel(this);
    remedy_->setObjectName("trouble-remedy");
    remedy_->setTextFormat(Qt::PlainText);
    remedy_->setWordWrap(true);
    set_tone(remedy_, "alarm");
    auto* elsewhere = new QPushButton(tr("Save elsewhere…"), this);
    elsewhere->setObjectName("trouble-elsewhere");
    elsewhere->setToolTip(
        tr("Writes all of the document, with its history, to another file and goes on there"));
    auto* again = new QPushButton(tr("Try again"), this);
    again->setObjectName("trouble-again");
    again->setToolTip(tr("It is also tried by itself, every two seconds"));
    connect(elsewhere, &QPushButton::clicked, this, &TroubleBar::elsewhere_wanted);
    connect(again, &QPushButton::clicked, this, &TroubleBar::again_wanted);

    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(what_);
    words->addWidget(remedy_);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 8, 12, 8);
    row->setSpacing(10);
    row->addLayout(words, 1);
    row->addWidget(elsewhere);
    row->addWidget(again);
    hide();
}

void TroubleBar::show_trouble(const QString& path, const QString& trouble, qint64 changes) {
    if (trouble.isEmpty() || changes == 0) {
        hide();
        return;
    }
    what_->setText(tr("“%1” cannot be written: %2.").arg(QFileInfo(path).fileName(), trouble));
    remedy_->setText((changes == 1 ? tr("%1 is only in memory. ") : tr("%1 are only in memory. "))
                         .arg(counted_changes(changes)) +
                     tr("The file is in %1.").arg(QFileInfo(path).absolutePath()));
    show();
}

}  // namespace caprock::editor
