// Everything that was done, in order: a click goes there.
#pragma once

#include "core/workshop.h"

#include <QAbstractListModel>
#include <QWidget>

class QLabel;
class QListView;

namespace caprock::editor {

// Row 0 is the document as it began, row n what the n-th change made of it.
class HistoryRows : public QAbstractListModel {
    Q_OBJECT

  public:
    using QAbstractListModel::QAbstractListModel;

    void set_document(const DocumentViewPointer& view);
    int position() const { return position_; }

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : rows_; }
    QVariant data(const QModelIndex& index, int role) const override;

  private:
    DocumentViewPointer view_;
    int rows_ = 0;
    int position_ = 0;
};

class HistoryPanel : public QWidget {
    Q_OBJECT

  public:
    explicit HistoryPanel(Workshop& workshop, QWidget* parent = nullptr);

  public Q_SLOTS:
    void set_document(caprock::editor::DocumentViewPointer view);

  private:
    void follow();

    Workshop& workshop_;
    HistoryRows* rows_;
    QListView* list_;
    QLabel* notice_;
};

}  // namespace caprock::editor
