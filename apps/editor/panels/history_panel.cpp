#include "panels/history_panel.h"

#include <QDateTime>
#include <QFont>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QLabel>
#include <QListView>
#include <QLocale>
#include <QPalette>
#include <QVBoxLayout>
#include <algorithm>

namespace caprock::editor {

void HistoryRows::set_document(const DocumentViewPointer& view) {
    int rows = view ? int(view->history.size()) + 1 : 0;
    int before = rows_;
    bool other = !view || !view_ || view->opened;
    if (other) {
        beginResetModel();
        view_ = view;
        rows_ = rows;
        position_ = view ? int(view->position) : 0;
        endResetModel();
        return;
    }
    // Lines are only ever added and taken away at the end.
    if (rows > before) beginInsertRows({}, before, rows - 1);
    if (rows < before) beginRemoveRows({}, rows, before - 1);
    view_ = view;
    rows_ = rows;
    position_ = int(view->position);
    if (rows > before) endInsertRows();
    if (rows < before) endRemoveRows();
    int kept = std::min(rows, before);
    if (kept > 0) Q_EMIT dataChanged(index(0), index(kept - 1));
}

QVariant HistoryRows::data(const QModelIndex& index, int role) const {
    int row = index.row();
    if (!view_ || row < 0 || row >= rows_) return {};
    const HistoryLine* line = row > 0 ? &view_->history[size_t(row) - 1] : nullptr;
    switch (role) {
        case Qt::DisplayRole: {
            if (!line) return tr("As it began");
            QString title = QString::fromStdString(line->title);
            if (!title.isEmpty()) title[0] = title[0].toUpper();
            return title;
        }
        case Qt::ToolTipRole: {
            if (!line) return tr("The document before anything was done to it");
            QString when =
                QLocale().toString(QDateTime::fromSecsSinceEpoch(line->time), QLocale::ShortFormat);
            if (row > position_) return tr("%1, undone; a click brings it back").arg(when);
            return row == position_ ? tr("%1, this is how the document is now").arg(when)
                                    : tr("%1; a click goes back to it").arg(when);
        }
        case Qt::FontRole: {
            QFont font;
            font.setBold(row == position_);
            return font;
        }
        case Qt::SizeHintRole:
            return QSize(0, QFontMetrics(QGuiApplication::font()).height() + 6);
        case Qt::ForegroundRole:
            if (row > position_) return QGuiApplication::palette().brush(QPalette::Disabled, QPalette::Text);
            return {};
        default:
            return {};
    }
}

HistoryPanel::HistoryPanel(Workshop& workshop, QWidget* parent) : QWidget(parent), workshop_(workshop) {
    setObjectName("history_panel");
    rows_ = new HistoryRows(this);
    list_ = new QListView;
    list_->setObjectName("history_list");
    list_->setAccessibleName(tr("History"));
    list_->setModel(rows_);
    list_->setUniformItemSizes(true);
    list_->setSelectionMode(QAbstractItemView::SingleSelection);
    list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list_->setTextElideMode(Qt::ElideRight);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setMinimumHeight(60);
    notice_ = new QLabel;
    notice_->setObjectName("history_notice");
    notice_->setWordWrap(true);
    notice_->setToolTip(tr("Why the history can only be looked at"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->setSpacing(6);
    layout->addWidget(notice_);
    layout->addWidget(list_, 1);
    auto go = [this](const QModelIndex& index) {
        if (index.isValid() && index.row() != rows_->position()) workshop_.go_to(index.row());
    };
    connect(list_, &QListView::clicked, this, go);
    // Enter on a row that the arrow keys have reached.
    connect(list_, &QListView::activated, this, go);
    set_document(nullptr);
}

void HistoryPanel::set_document(DocumentViewPointer view) {
    int before = rows_->position(), rows_before = rows_->rowCount();
    rows_->set_document(view);
    bool read_only = view && view->read_only;
    notice_->setVisible(!view || read_only);
    notice_->setText(!view       ? tr("No document is open.")
                     : read_only ? tr("This document is open for reading only: nothing can be undone.")
                                 : QString());
    list_->setEnabled(view && !read_only);
    bool moved = before != rows_->position() || rows_before != rows_->rowCount();
    if (moved || !view || view->opened) follow();
}

void HistoryPanel::follow() {
    QModelIndex at = rows_->index(rows_->position());
    list_->setCurrentIndex(at);
    if (at.isValid()) list_->scrollTo(at);
}

}  // namespace caprock::editor
