// The layers of a document as a tree, the top one first: what it shows, how a row is drawn, and the view with its clicks.
#pragma once

#include "core/workshop.h"
#include "document/commands.h"

#include <QAbstractItemModel>
#include <QImage>
#include <QPixmap>
#include <QStringList>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <map>
#include <memory>
#include <vector>

namespace caprock::editor {

class LayerTree : public QAbstractItemModel {
    Q_OBJECT

  public:
    enum Column { eye_column, name_column, lock_column, columns };

    struct Node {
        int id = 0;
        QString name;
        LayerKind kind = LayerKind::generated;
        bool visible = true;
        bool locked = false;
        bool shown = true;  // nothing it is in is hidden either
        double opacity = 1;
        std::string mode;
        LayerMask::Kind mask = LayerMask::Kind::none;
        bool mask_inverted = false;
        QString problem;
        Node* parent = nullptr;
        std::vector<std::unique_ptr<Node>> children;  // from the top
    };
    struct Pictures {
        QPixmap content;
        QPixmap mask;
    };

    explicit LayerTree(QObject* parent = nullptr);

    static QString kind_title(LayerKind kind);

    // Null: none. Says whether layers came, went or moved; otherwise rows stay as they are and only show something else.
    bool set_document(const DocumentViewPointer& view);
    void set_thumbnail(int layer, const QImage& content, const QImage& mask);
    void set_problems(const QStringList& problems);
    void set_changeable(bool changeable) { changeable_ = changeable; }

    const Node* node(const QModelIndex& index) const;
    const Node* node(int layer) const;
    const Pictures* pictures(int layer) const;
    QModelIndex index_of(int layer, int column = name_column) const;
    // All of them from the top down, those of groups after their group.
    std::vector<int> layers() const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex&) const override { return columns; }
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                         const QModelIndex& parent) const override;
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                      const QModelIndex& parent) override;

  Q_SIGNALS:
    void renamed(int layer, const QString& name);
    // Layers that were dropped, from the top.
    void dropped(const std::vector<int>& layers, const caprock::LayerSpot& spot);

  private:
    void find_problems();
    void rows_changed();
    std::vector<int> layers_in(const QMimeData* data) const;

    DocumentViewPointer view_;
    Node root_;
    std::map<int, Node*> nodes_;
    std::map<int, Pictures> pictures_;
    QStringList problems_;
    bool changeable_ = true;
};

class LayerTreeDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    explicit LayerTreeDelegate(QObject* parent = nullptr) : QStyledItemDelegate(parent) {}

    // Of the row of the name, where its parts are.
    struct Parts {
        QRect content;
        QRect mask;  // empty: none
        QRect name;
        QRect below;  // the line under the name
        QRect warning;
    };
    Parts parts(const QRect& row, const LayerTree::Node& node) const;
    // Which layer's mask the pen is on.
    void set_mask_chosen(int layer) { mask_chosen_ = layer; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const override;

  private:
    void paint_name(QPainter* painter, const QStyleOptionViewItem& option, const LayerTree::Node& node,
                    const LayerTree::Pictures* pictures) const;

    int mask_chosen_ = 0;
};

class LayerTreeView : public QTreeView {
    Q_OBJECT

  public:
    explicit LayerTreeView(QWidget* parent = nullptr);

    QStyleOptionViewItem row_option(const QModelIndex& index) const;

  Q_SIGNALS:
    void eye_clicked(int layer);
    void lock_clicked(int layer);
    void mask_clicked(int layer);
    void content_clicked(int layer);

  protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    bool viewportEvent(QEvent* event) override;

  private:
    const LayerTree* tree() const { return static_cast<const LayerTree*>(model()); }
    bool on_mask(const QModelIndex& index, const QPoint& at) const;
};

}  // namespace caprock::editor
