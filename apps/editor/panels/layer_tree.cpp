#include "panels/layer_tree.h"

#include "widgets/wording.h"

#include <QDataStream>
#include <QIODevice>
#include <QMimeData>
#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace caprock::editor {

namespace {

const QString mime_type = QStringLiteral("application/x-caprock-layers");

bool same_structure(const LayerTree::Node& a, const LayerTree::Node& b) {
    return a.id == b.id && std::ranges::equal(a.children, b.children, [](const auto& x, const auto& y) {
               return same_structure(*x, *y);
           });
}

// Values alone: children and parents stay.
void take_values(LayerTree::Node& to, LayerTree::Node& from) {
    auto children = std::move(to.children);
    LayerTree::Node* parent = to.parent;
    auto others = std::move(from.children);
    to = std::move(from);
    to.parent = parent;
    to.children = std::move(children);
    for (size_t i = 0; i < to.children.size(); i++) take_values(*to.children[i], *others[i]);
}

void add_layers(LayerTree::Node& to, const std::vector<Layer>& layers) {
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
        auto node = std::make_unique<LayerTree::Node>();
        node->id = layer->id;
        node->name = QString::fromStdString(layer->name);
        node->kind = layer->kind;
        node->visible = layer->visible;
        node->locked = layer->locked;
        node->shown = to.shown && layer->visible;
        node->opacity = layer->blend ? layer_opacity(*layer) : 1;
        node->mode = layer->blend ? blend_mode(*layer) : "";
        node->mask = layer->mask.kind;
        node->mask_inverted = layer->mask.inverted;
        node->parent = &to;
        add_layers(*node, layer->layers);
        to.children.push_back(std::move(node));
    }
}

}  // namespace

QString LayerTree::kind_title(LayerKind kind) {
    switch (kind) {
        case LayerKind::generated:
            return tr("Generated");
        case LayerKind::painted:
            return tr("Painted");
        case LayerKind::imported:
            return tr("Imported");
        case LayerKind::adjustment:
            return tr("Adjustment");
        case LayerKind::group:
            return tr("Group");
        case LayerKind::unknown:
            break;
    }
    return tr("Of a newer version");
}

LayerTree::LayerTree(QObject* parent) : QAbstractItemModel(parent) {}

bool LayerTree::set_document(const DocumentViewPointer& view) {
    if (!view || view->opened) pictures_.clear();
    view_ = view;
    Node made;
    if (view) add_layers(made, view->state().layers);
    bool restructured = !same_structure(root_, made);
    if (restructured) {
        beginResetModel();
        root_.children = std::move(made.children);
        nodes_.clear();
        std::function<void(Node&)> enter = [&](Node& node) {
            for (auto& child : node.children) {
                child->parent = &node;
                nodes_[child->id] = child.get();
                enter(*child);
            }
        };
        enter(root_);
        find_problems();
        endResetModel();
        std::erase_if(pictures_, [this](const auto& entry) { return !nodes_.contains(entry.first); });
    } else {
        for (size_t i = 0; i < root_.children.size(); i++) take_values(*root_.children[i], *made.children[i]);
        find_problems();
        rows_changed();
    }
    return restructured;
}

void LayerTree::rows_changed() {
    std::function<void(const QModelIndex&)> tell = [&](const QModelIndex& parent) {
        int rows = rowCount(parent);
        if (rows == 0) return;
        Q_EMIT dataChanged(index(0, 0, parent), index(rows - 1, columns - 1, parent));
        for (int row = 0; row < rows; row++) tell(index(row, 0, parent));
    };
    tell({});
}

void LayerTree::set_thumbnail(int layer, const QImage& content, const QImage& mask) {
    if (!nodes_.contains(layer)) return;
    pictures_[layer] = {QPixmap::fromImage(content), QPixmap::fromImage(mask)};
    QModelIndex at = index_of(layer);
    Q_EMIT dataChanged(at, at);
}

void LayerTree::set_problems(const QStringList& problems) {
    if (problems == problems_) return;
    problems_ = problems;
    find_problems();
    rows_changed();
}

// "layer 3 (Talus): there is no hardness"
void LayerTree::find_problems() {
    for (auto& [id, node] : nodes_) {
        node->problem.clear();
        QString start = QStringLiteral("layer %1 (").arg(id);
        for (const QString& problem : problems_) {
            if (!problem.startsWith(start)) continue;
            QString full = start + node->name + "): ";
            qsizetype reason = problem.startsWith(full) ? full.size() : problem.indexOf("): ") + 3;
            node->problem = problem.mid(reason);
        }
    }
}

const LayerTree::Node* LayerTree::node(const QModelIndex& index) const {
    return index.isValid() ? static_cast<const Node*>(index.internalPointer()) : nullptr;
}

const LayerTree::Node* LayerTree::node(int layer) const {
    auto found = nodes_.find(layer);
    return found == nodes_.end() ? nullptr : found->second;
}

const LayerTree::Pictures* LayerTree::pictures(int layer) const {
    auto found = pictures_.find(layer);
    return found == pictures_.end() ? nullptr : &found->second;
}

QModelIndex LayerTree::index_of(int layer, int column) const {
    const Node* found = node(layer);
    if (!found) return {};
    const auto& list = found->parent->children;
    auto at = std::ranges::find(list, found, &std::unique_ptr<Node>::get);
    return createIndex(int(at - list.begin()), column, const_cast<Node*>(found));
}

std::vector<int> LayerTree::layers() const {
    std::vector<int> all;
    std::function<void(const Node&)> walk = [&](const Node& node) {
        for (const auto& child : node.children) {
            all.push_back(child->id);
            walk(*child);
        }
    };
    walk(root_);
    return all;
}

QModelIndex LayerTree::index(int row, int column, const QModelIndex& parent) const {
    const Node& above = parent.isValid() ? *node(parent) : root_;
    if (row < 0 || row >= int(above.children.size()) || column < 0 || column >= columns) return {};
    return createIndex(row, column, above.children[size_t(row)].get());
}

QModelIndex LayerTree::parent(const QModelIndex& index) const {
    const Node* own = node(index);
    if (!own || own->parent == &root_) return {};
    return index_of(own->parent->id, eye_column);
}

int LayerTree::rowCount(const QModelIndex& parent) const {
    return int((parent.isValid() ? *node(parent) : root_).children.size());
}

QVariant LayerTree::data(const QModelIndex& index, int role) const {
    const Node* layer = node(index);
    if (!layer) return {};
    int column = index.column();
    if (role == Qt::ToolTipRole && column == eye_column)
        return layer->visible ? tr("Hide this layer") : tr("Show this layer");
    if (role == Qt::ToolTipRole && column == lock_column)
        return layer->locked ? tr("Locked: nothing of it can be changed. Click to unlock it.")
                             : tr("Lock this layer against changes");
    if (column != name_column) return {};
    if (role == Qt::DisplayRole || role == Qt::EditRole) return layer->name;
    if (role == Qt::ToolTipRole) {
        QString text =
            QStringLiteral("<b>%1</b><br>%2, %3, %4 %")
                .arg(layer->name.toHtmlEscaped(), kind_title(layer->kind), choice_title(layer->mode))
                .arg(std::lround(layer->opacity * 100));
        if (!layer->problem.isEmpty())
            text += tr("<br><b>It has no effect:</b> %1").arg(layer->problem.toHtmlEscaped());
        else if (layer->kind == LayerKind::unknown)
            text += tr("<br>It is kept as it is, without effect.");
        return text;
    }
    return {};
}

bool LayerTree::setData(const QModelIndex& index, const QVariant& value, int role) {
    const Node* layer = node(index);
    QString name = value.toString().trimmed();
    if (!layer || role != Qt::EditRole || name.isEmpty() || name == layer->name) return false;
    // The row changes when the document has.
    Q_EMIT renamed(layer->id, name);
    return false;
}

Qt::ItemFlags LayerTree::flags(const QModelIndex& index) const {
    if (!index.isValid()) return changeable_ ? Qt::ItemIsDropEnabled : Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (!changeable_) return flags;
    if (!node(index)->locked) flags |= Qt::ItemIsDragEnabled;
    if (index.column() == name_column && !node(index)->locked) flags |= Qt::ItemIsEditable;
    if (node(index)->kind == LayerKind::group) flags |= Qt::ItemIsDropEnabled;
    return flags;
}

// ---- moving ------------------------------------------------------------------------------------------------

QStringList LayerTree::mimeTypes() const { return {mime_type}; }

QMimeData* LayerTree::mimeData(const QModelIndexList& indexes) const {
    std::set<int> taken;
    for (const QModelIndex& index : indexes) taken.insert(node(index)->id);
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    for (int layer : layers()) {
        // Those in a group that moves come along.
        bool inside = false;
        for (const Node* above = node(layer)->parent; above; above = above->parent)
            inside = inside || taken.contains(above->id);
        if (taken.contains(layer) && !inside) stream << qint32(layer);
    }
    auto* data = new QMimeData;
    data->setData(mime_type, bytes);
    return data;
}

std::vector<int> LayerTree::layers_in(const QMimeData* data) const {
    std::vector<int> moved;
    QByteArray bytes = data->data(mime_type);
    QDataStream stream(bytes);
    while (!stream.atEnd()) {
        qint32 layer = 0;
        stream >> layer;
        if (nodes_.contains(layer)) moved.push_back(layer);
    }
    return moved;
}

bool LayerTree::canDropMimeData(const QMimeData* data, Qt::DropAction, int, int,
                                const QModelIndex& parent) const {
    if (!changeable_ || !data->hasFormat(mime_type)) return false;
    std::vector<int> moved = layers_in(data);
    // Not into itself.
    for (const Node* above = node(parent); above; above = above->parent)
        if (std::ranges::find(moved, above->id) != moved.end()) return false;
    return !moved.empty();
}

bool LayerTree::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                             const QModelIndex& parent) {
    if (!canDropMimeData(data, action, row, column, parent)) return false;
    std::vector<int> moved = layers_in(data);
    const Node& into = parent.isValid() ? *node(parent) : root_;
    LayerSpot spot;
    spot.inside = into.id;
    if (row >= 0 || !parent.isValid()) {
        // On top of the first row below that stays where it is; where there is none, at the bottom.
        size_t below = row >= 0 ? size_t(row) : into.children.size();
        while (below < into.children.size() &&
               std::ranges::find(moved, into.children[below]->id) != moved.end())
            below++;
        if (below < into.children.size()) {
            spot.inside = 0;
            spot.above = into.children[below]->id;
        } else {
            spot.bottom = true;
        }
    }
    Q_EMIT dropped(moved, spot);
    return true;
}

}  // namespace caprock::editor
