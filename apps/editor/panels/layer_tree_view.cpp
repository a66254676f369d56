#include "panels/layer_tree.h"
#include "theme/icons.h"
#include "widgets/wording.h"

#include <QApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>

namespace caprock::editor {

namespace {

constexpr int picture_side = 32;
constexpr int gap = 5;

QString icon_of(LayerKind kind) {
    switch (kind) {
        case LayerKind::generated:
            return QStringLiteral("mountain");
        case LayerKind::painted:
            return QStringLiteral("brush");
        case LayerKind::imported:
            return QStringLiteral("file-in");
        case LayerKind::adjustment:
            return QStringLiteral("adjustment");
        case LayerKind::group:
            return QStringLiteral("group");
        case LayerKind::unknown:
            break;
    }
    return QStringLiteral("unknown");
}

QColor with_strength(QColor colour, double strength) {
    colour.setAlphaF(float(colour.alphaF() * strength));
    return colour;
}

// The whole picture in the square, its shape kept; where it has no cells, the ground is seen.
void draw_thumbnail(QPainter& painter, const QRect& place, const QPixmap& picture, const QColor& ground) {
    QSizeF size = QSizeF(picture.size()).scaled(place.size(), Qt::KeepAspectRatio);
    QRectF target(QPointF(0, 0), size);
    target.moveCenter(QRectF(place).center());
    painter.fillRect(place, ground);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawPixmap(target, picture, picture.rect());
}

QColor text_colour(const QStyleOptionViewItem& option) {
    bool chosen = option.state & QStyle::State_Selected;
    QPalette::ColorGroup group = !(option.state & QStyle::State_Enabled) ? QPalette::Disabled
                                 : option.state & QStyle::State_Active   ? QPalette::Active
                                                                         : QPalette::Inactive;
    return option.palette.color(group, chosen ? QPalette::HighlightedText : QPalette::Text);
}

QFont smaller(QFont font) {
    if (font.pointSizeF() > 0) font.setPointSizeF(font.pointSizeF() * 0.86);
    return font;
}

}  // namespace

// ---- rows --------------------------------------------------------------------------------------------------

LayerTreeDelegate::Parts LayerTreeDelegate::parts(const QRect& row, const LayerTree::Node& node) const {
    Parts parts;
    QRect square(row.left() + 2, row.top() + (row.height() - picture_side) / 2, picture_side, picture_side);
    parts.content = square;
    int text = square.right() + 1 + gap;
    if (node.mask != LayerMask::Kind::none) {
        parts.mask = square.translated(picture_side + gap, 0);
        text += picture_side + gap;
    }
    int end = row.right() - 2;
    if (!node.problem.isEmpty()) {
        parts.warning = QRect(end - 16, row.center().y() - 8, 16, 16);
        end = parts.warning.left() - gap;
    }
    int half = row.height() / 2;
    parts.name = QRect(QPoint(text, row.top() + 3), QPoint(end, row.top() + half));
    parts.below = QRect(QPoint(text, row.top() + half + 1), QPoint(end, row.bottom() - 3));
    return parts;
}

QSize LayerTreeDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    int height = std::max(picture_side + 8, 2 * option.fontMetrics.height() + 6);
    return {index.column() == LayerTree::name_column ? 120 : 24, height};
}

void LayerTreeDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const {
    const auto* tree = static_cast<const LayerTree*>(index.model());
    const LayerTree::Node* node = tree->node(index);
    QStyle* style = option.widget ? option.widget->style() : QApplication::style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, painter, option.widget);
    painter->save();
    QColor colour = text_colour(option);
    bool over = option.state & QStyle::State_MouseOver;
    QRectF sign = QRectF(0, 0, 16, 16);
    sign.moveCenter(QRectF(option.rect).center());
    switch (index.column()) {
        case LayerTree::eye_column:
            draw_icon(*painter, sign, node->visible ? "eye" : "eye-off",
                      with_strength(colour, !node->visible ? 0.4
                                            : node->shown  ? 1
                                                           : 0.55));
            break;
        case LayerTree::lock_column:
            if (node->locked)
                draw_icon(*painter, sign, "lock", colour);
            else if (over)
                draw_icon(*painter, sign, "unlock", with_strength(colour, 0.4));
            break;
        default:
            paint_name(painter, option, *node, tree->pictures(node->id));
    }
    painter->restore();
}

void LayerTreeDelegate::paint_name(QPainter* painter, const QStyleOptionViewItem& option,
                                   const LayerTree::Node& node, const LayerTree::Pictures* pictures) const {
    Parts parts = this->parts(option.rect, node);
    QColor colour = text_colour(option);
    double strength = node.shown ? 1 : 0.5;
    bool chosen = option.state & QStyle::State_Selected;
    QColor ground = option.palette.color(QPalette::Base);

    auto frame = [&](const QRect& square, bool marked) {
        QColor edge = marked ? colour : with_strength(colour, 0.3);
        painter->setPen(QPen(edge, marked ? 2 : 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(QRectF(square).adjusted(0.5, 0.5, -0.5, -0.5));
    };
    painter->setOpacity(strength);
    bool pictured = pictures && !pictures->content.isNull() && node.kind != LayerKind::group;
    if (pictured) {
        draw_thumbnail(*painter, parts.content, pictures->content, ground);
        // What kind of layer, on a corner of its picture.
        QRectF badge(parts.content.right() - 14, parts.content.bottom() - 14, 15, 15);
        painter->fillRect(badge, with_strength(ground, 0.85));
        draw_icon(*painter, badge.adjusted(1.5, 1.5, -1.5, -1.5), icon_of(node.kind),
                  option.palette.color(QPalette::Text));
    } else {
        draw_icon(*painter, QRectF(parts.content).adjusted(7, 7, -7, -7), icon_of(node.kind), colour);
    }
    bool on_mask = mask_chosen_ == node.id;
    if (node.kind != LayerKind::group)
        frame(parts.content, chosen && !on_mask && node.mask != LayerMask::Kind::none);
    if (!parts.mask.isEmpty()) {
        if (pictures && !pictures->mask.isNull())
            draw_thumbnail(*painter, parts.mask, pictures->mask, ground);
        else
            draw_icon(*painter, QRectF(parts.mask).adjusted(8, 8, -8, -8), "mask", colour);
        frame(parts.mask, on_mask);
    }

    QFont font = option.font;
    painter->setFont(font);
    painter->setPen(colour);
    painter->drawText(parts.name, Qt::AlignLeft | Qt::AlignBottom,
                      QFontMetrics(font).elidedText(node.name, Qt::ElideRight, parts.name.width()));
    font = smaller(font);
    painter->setFont(font);
    painter->setPen(with_strength(colour, 0.7));
    QString below =
        QStringLiteral("%1 · %2 %").arg(choice_title(node.mode)).arg(std::lround(node.opacity * 100));
    painter->drawText(parts.below, Qt::AlignLeft | Qt::AlignTop,
                      QFontMetrics(font).elidedText(below, Qt::ElideRight, parts.below.width()));
    painter->setOpacity(1);
    if (!parts.warning.isEmpty()) draw_icon(*painter, parts.warning, "warning", colour);
}

QWidget* LayerTreeDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&,
                                         const QModelIndex&) const {
    auto* editor = new QLineEdit(parent);
    editor->setObjectName("layer_name");
    editor->setToolTip(tr("The layer's name: Enter takes it, Escape leaves it as it was"));
    return editor;
}

void LayerTreeDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                             const QModelIndex& index) const {
    const auto* tree = static_cast<const LayerTree*>(index.model());
    QRect row = option.rect;
    QRect place = parts(row, *tree->node(index)).name;
    int height = editor->sizeHint().height();
    editor->setGeometry(
        QRect(place.left() - 3, row.center().y() - height / 2, row.right() - place.left() + 3, height));
}

// ---- the view ----------------------------------------------------------------------------------------------

LayerTreeView::LayerTreeView(QWidget* parent) : QTreeView(parent) {
    setHeaderHidden(true);
    setTreePosition(LayerTree::name_column);
    setIndentation(14);
    setUniformRowHeights(true);
    setMouseTracking(true);
    setSelectionMode(ExtendedSelection);
    setSelectionBehavior(SelectRows);
    setEditTriggers(DoubleClicked | EditKeyPressed);
    setDragEnabled(true);
    setAcceptDrops(true);
    setDropIndicatorShown(true);
    setDragDropMode(InternalMove);
    setDefaultDropAction(Qt::MoveAction);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(ScrollPerPixel);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setExpandsOnDoubleClick(false);
    setAllColumnsShowFocus(true);
}

QStyleOptionViewItem LayerTreeView::row_option(const QModelIndex& index) const {
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    option.rect = visualRect(index);
    return option;
}

bool LayerTreeView::on_mask(const QModelIndex& index, const QPoint& at) const {
    const auto* delegate = static_cast<const LayerTreeDelegate*>(itemDelegate());
    return index.column() == LayerTree::name_column &&
           delegate->parts(visualRect(index), *tree()->node(index)).mask.contains(at);
}

void LayerTreeView::mousePressEvent(QMouseEvent* event) {
    QModelIndex index = indexAt(event->pos());
    const LayerTree::Node* layer = tree()->node(index);
    if (layer && event->button() == Qt::LeftButton) {
        // Signs beside the name do what they say and leave the selection alone.
        if (index.column() == LayerTree::eye_column) {
            Q_EMIT eye_clicked(layer->id);
            return;
        }
        if (index.column() == LayerTree::lock_column) {
            Q_EMIT lock_clicked(layer->id);
            return;
        }
    }
    int id = layer ? layer->id : 0;
    bool mask = layer && on_mask(index, event->pos());
    QTreeView::mousePressEvent(event);
    if (!id || event->button() != Qt::LeftButton ||
        event->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier))
        return;
    if (mask)
        Q_EMIT mask_clicked(id);
    else
        Q_EMIT content_clicked(id);
}

void LayerTreeView::mouseDoubleClickEvent(QMouseEvent* event) {
    QModelIndex index = indexAt(event->pos());
    const LayerTree::Node* layer = tree()->node(index);
    if (!layer || index.column() != LayerTree::name_column) {
        // Two quick clicks on an eye are two clicks.
        mousePressEvent(event);
        return;
    }
    const auto* delegate = static_cast<const LayerTreeDelegate*>(itemDelegate());
    bool on_name = event->pos().x() >= delegate->parts(visualRect(index), *layer).name.left();
    if (on_name) QTreeView::mouseDoubleClickEvent(event);
}

bool LayerTreeView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        QModelIndex index = indexAt(help->pos());
        const LayerTree::Node* layer = tree() ? tree()->node(index) : nullptr;
        if (layer && on_mask(index, help->pos())) {
            QString text = layer->mask == LayerMask::Kind::painted
                               ? tr("The mask, painted. Click to paint on it.")
                               : tr("The mask, made by operations.");
            if (layer->mask_inverted) text += tr(" It is inverted.");
            QToolTip::showText(help->globalPos(), text, viewport());
            return true;
        }
    }
    return QTreeView::viewportEvent(event);
}

}  // namespace caprock::editor
