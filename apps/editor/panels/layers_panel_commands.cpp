#include "base/error.h"
#include "base/text.h"
#include "document/commands.h"
#include "panels/layers_panel.h"
#include "theme/icons.h"
#include "widgets/wording.h"

#include <QAction>
#include <QMenu>
#include <QPoint>
#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <set>

namespace caprock::editor {

namespace {

// The list that holds a layer, and the group that it is of.
struct Stack {
    const std::vector<Layer>* list = nullptr;
    size_t index = 0;
    int group = 0;
};

Stack stack_of(const std::vector<Layer>& layers, int id, int group = 0) {
    for (size_t i = 0; i < layers.size(); i++) {
        if (layers[i].id == id) return {&layers, i, group};
        Stack inside = stack_of(layers[i].layers, id, layers[i].id);
        if (inside.list) return inside;
    }
    return {};
}

// On top of the layer below the one of that index, or at the bottom of its list.
LayerSpot spot_below(const Stack& stack) {
    LayerSpot spot;
    if (stack.index > 0) {
        spot.above = (*stack.list)[stack.index - 1].id;
    } else {
        spot.inside = stack.group;
        spot.bottom = true;
    }
    return spot;
}

bool reads(const Operation& operation, const std::string& field) {
    return contains(operation.fields().inputs, field);
}

// Beginnings first.
int order_of_room(const std::string& room) {
    static const std::vector<std::string> order = {"synthesis", "faulting", "erosion",
                                                   "rivers",    "shaping",  "construction",
                                                   "materials", "repair",   "masks"};
    return int(std::ranges::find(order, room) - order.begin());
}

}  // namespace

void LayersPanel::change(const QString& title, Workshop::Command command, const QString& drag) {
    if (changeable()) workshop_.change(title, std::move(command), drag);
}

void LayersPanel::change_chosen(const QString& title, OnLayers command) {
    if (chosen().empty()) return;
    change(title, [chosen = chosen(), command = std::move(command)](Document& document, RunContext& context) {
        // Some may have gone since.
        std::vector<int> layers;
        for (int layer : chosen)
            if (find_layer(document.state().layers, layer)) layers.push_back(layer);
        if (!layers.empty()) command(document, context, layers);
    });
}

// ---- new ones ----------------------------------------------------------------------------------------------

void LayersPanel::add_layer(const QString& title, std::function<void(Document&, const LayerSpot&)> add) {
    change(title, [above = selection_.layer(), add = std::move(add)](Document& document, RunContext&) {
        LayerSpot spot;
        if (find_layer(document.state().layers, above)) spot.above = above;
        add(document, spot);
    });
}

void LayersPanel::add_operation(const QString& name) {
    add_layer(tr("Add layer"), [name = name.toStdString()](Document& document, const LayerSpot& spot) {
        std::vector<LayerOperation> operations;
        operations.emplace_back(make_operation(name));
        Layer settings;
        settings.name = titled(name).toStdString();
        add_operations(document, std::move(operations), settings, spot);
    });
}

void LayersPanel::add_painted(const QString& field) {
    add_layer(tr("Add layer"), [field = field.toStdString()](Document& document, const LayerSpot& spot) {
        Layer settings;
        // As brushes make theirs: what is painted on the height is added to the land.
        settings.blend = make_blend(std::string(quantity_of(field).painted));
        caprock::add_painted(document, field, settings, spot);
    });
}

void LayersPanel::add_group() {
    std::vector<int> layers = chosen();
    change(tr("Group"), [layers, name = tr("Group").toStdString()](Document& document, RunContext&) {
        caprock::add_group(document, name, layers);
    });
}

void LayersPanel::ungroup() {
    change_chosen(tr("Ungroup"), [](Document& document, RunContext&, const std::vector<int>& layers) {
        ungroup_layers(document, layers);
    });
}

void LayersPanel::duplicate() {
    change_chosen(tr("Duplicate"), [](Document& document, RunContext&, const std::vector<int>& layers) {
        duplicate_layers(document, layers);
    });
}

void LayersPanel::remove() {
    change_chosen(tr("Delete"), [](Document& document, RunContext&, const std::vector<int>& layers) {
        remove_layers(document, layers);
    });
}

// ---- flattening --------------------------------------------------------------------------------------------

void LayersPanel::merge_down() {
    int layer = selection_.layer();
    if (!layer) return;
    change(tr("Merge down"), [layer](Document& document, RunContext& context) {
        caprock::merge_down(document, layer, context);
    });
}

void LayersPanel::collapse() {
    std::vector<int> layers = chosen();
    if (layers.empty()) return;
    // From the lowest, as the document has them.
    std::ranges::reverse(layers);
    change(tr("Collapse"),
           [layers](Document& document, RunContext& context) { collapse_layers(document, layers, context); });
}

void LayersPanel::rasterise() {
    // A step for each: one that takes long can be stopped, and those before it stay.
    change_chosen(tr("Rasterise"),
                  [](Document& document, RunContext& context, const std::vector<int>& layers) {
                      for (int layer : layers) rasterise_layer(document, layer, context);
                  });
}

// ---- order -------------------------------------------------------------------------------------------------

void LayersPanel::move(const std::vector<int>& layers, const LayerSpot& spot) {
    change(tr("Move"),
           [layers, spot](Document& document, RunContext&) { move_layers(document, layers, spot); });
}

void LayersPanel::move_up() {
    int layer = selection_.layer();
    if (!layer) return;
    change(tr("Move up"), [layer](Document& document, RunContext&) {
        Stack stack = stack_of(document.state().layers, layer);
        if (!stack.list) return;
        bool topmost = stack.index + 1 == stack.list->size();
        LayerSpot spot;
        spot.above = topmost ? stack.group : (*stack.list)[stack.index + 1].id;
        if (spot.above) move_layer(document, layer, spot);
    });
}

void LayersPanel::move_down() {
    int layer = selection_.layer();
    if (!layer) return;
    change(tr("Move down"), [layer](Document& document, RunContext&) {
        Stack stack = stack_of(document.state().layers, layer);
        if (!stack.list || (stack.index == 0 && !stack.group)) return;
        if (stack.index == 0)
            stack = stack_of(document.state().layers, stack.group);
        else
            stack.index--;
        move_layer(document, layer, spot_below(stack));
    });
}

// ---- settings ----------------------------------------------------------------------------------------------

void LayersPanel::rename() {
    QModelIndex at = tree_->index_of(selection_.layer());
    if (at.isValid() && tree_->flags(at) & Qt::ItemIsEditable) rows_->edit(at);
}

// All of them become what the first is not.
void LayersPanel::toggle(const std::vector<int>& layers, bool visibility) {
    if (layers.empty() || !tree_->node(layers.front())) return;
    const LayerTree::Node& first = *tree_->node(layers.front());
    bool on = visibility ? !first.visible : !first.locked;
    std::string name = visibility ? "visible" : "locked";
    QString title = !visibility ? (on ? tr("Lock") : tr("Unlock")) : on ? tr("Show") : tr("Hide");
    change(title, [layers, name, text = std::string(on ? "yes" : "no")](Document& document, RunContext&) {
        set_layers(document, layers, {{name, text}});
    });
}

void LayersPanel::toggle_visible() { toggle(chosen(), true); }
void LayersPanel::toggle_locked() { toggle(chosen(), false); }

void LayersPanel::solo() {
    int layer = selection_.layer();
    if (!layer || !changeable()) return;
    bool back = solo_ == layer && !before_solo_.empty();
    std::map<int, bool> wanted;
    if (back) {
        wanted = before_solo_;
        before_solo_.clear();
        solo_ = 0;
    } else {
        std::function<void(const std::vector<Layer>&, bool)> walk = [&](const std::vector<Layer>& layers,
                                                                        bool inside) {
            for (const Layer& each : layers) {
                // From another one alone to this one alone: as they were before both.
                if (!solo_) before_solo_[each.id] = each.visible;
                bool holds = each.id == layer || find_layer(each.layers, layer);
                wanted[each.id] = holds || (inside && before_solo_[each.id]);
                walk(each.layers, inside || each.id == layer);
            }
        };
        walk(view_->state().layers, false);
        solo_ = layer;
    }
    change(back ? tr("Show as before") : tr("Show alone"),
           [layer, back, wanted](Document& document, RunContext&) {
               std::string name = layer_of(document.state(), layer).name;
               document.change(
                   back ? fmt::format("show all with '{}'", one_line(name))
                        : fmt::format("show '{}' alone", one_line(name)),
                   [&](Edit& edit) {
                       std::function<void(std::vector<Layer>&)> set = [&](std::vector<Layer>& layers) {
                           for (Layer& each : layers) {
                               auto found = wanted.find(each.id);
                               if (found != wanted.end() && found->second != each.visible) {
                                   if (each.locked)
                                       throw Error(fmt::format(
                                           "layer {} ({}) is locked and stays as it is; unlock it before "
                                           "another one is shown alone",
                                           each.id, one_line(each.name)));
                                   each.visible = found->second;
                               }
                               set(each.layers);
                           }
                       };
                       set(edit.state().layers);
                   });
           });
}

// ---- masks -------------------------------------------------------------------------------------------------

void LayersPanel::add_mask(float value) {
    int layer = selection_.layer();
    if (!layer) return;
    change(tr("Add mask"),
           [layer, value](Document& document, RunContext&) { paint_mask(document, layer, value); });
}

void LayersPanel::add_generated_mask(const QString& operation) {
    int layer = selection_.layer();
    if (!layer) return;
    change(tr("Add mask"), [layer, name = operation.toStdString()](Document& document, RunContext&) {
        std::vector<LayerOperation> operations;
        operations.emplace_back(make_operation(name));
        set_mask(document, layer, std::move(operations));
    });
}

void LayersPanel::invert_mask() {
    const Layer* layer = current();
    if (!layer || layer->mask.kind == LayerMask::Kind::none) return;
    change(tr("Invert mask"), [id = layer->id, text = std::string(layer->mask.inverted ? "no" : "yes")](
                                  Document& document, RunContext&) {
        set_layer(document, id, {{"invert-mask", text}});
    });
}

void LayersPanel::remove_mask() {
    int layer = selection_.layer();
    if (!layer) return;
    change(tr("Remove mask"),
           [layer](Document& document, RunContext&) { caprock::remove_mask(document, layer); });
}

// ---- menus -------------------------------------------------------------------------------------------------

void LayersPanel::fill_add_menu(QMenu* menu) {
    menu->clear();
    menu->setToolTipsVisible(true);
    auto entry = [this](QMenu* to, const QString& name, const QString& title, const QString& help, auto run) {
        QAction* action = to->addAction(title);
        action->setObjectName(name);
        action->setToolTip(help);
        connect(action, &QAction::triggered, this, run);
        return action;
    };
    QMenu* painted = menu->addMenu(icon("brush"), tr("Painted layer"));
    painted->setToolTipsVisible(true);
    for (const Quantity& quantity : quantities()) {
        std::string field(quantity.name);
        QString name = QString::fromStdString(field);
        entry(painted, "add_painted_" + name, titled(field),
              tr("An empty layer to paint %1 on").arg(titled(field).toLower()),
              [this, name] { add_painted(name); });
    }
    entry(menu, "add_group", tr("Group"), tr("A group around the chosen layers"), [this] {
        add_group();
    })->setIcon(icon("group"));
    menu->addSeparator();

    std::map<std::pair<int, std::string>, std::vector<std::string>> rooms;
    for (const std::string& name : operation_names()) {
        std::string room(make_operation(name)->room());
        // Blending is what every layer does.
        if (room != "blending") rooms[{order_of_room(room), room}].push_back(name);
    }
    for (const auto& [room, names] : rooms) {
        QMenu* operations = menu->addMenu(titled(room.second));
        operations->setToolTipsVisible(true);
        for (const std::string& name : names) {
            QString word = QString::fromStdString(name);
            QString help = QString::fromStdString(make_operation(name)->schema().summary());
            entry(operations, "add_" + word, titled(name), help, [this, word] { add_operation(word); });
        }
    }
}

void LayersPanel::fill_mask_menu(QMenu* menu) {
    menu->clear();
    menu->setToolTipsVisible(true);
    const Layer* layer = current();
    bool masked = layer && layer->mask.kind != LayerMask::Kind::none;
    auto entry = [&](QMenu* to, const QString& name, const QString& title, const QString& help, auto run) {
        QAction* action = to->addAction(title);
        action->setObjectName(name);
        action->setToolTip(help);
        connect(action, &QAction::triggered, this, run);
        return action;
    };
    entry(menu, "mask_white", tr("Painted, white"), tr("The layer is seen everywhere; paint where it is not"),
          [this] { add_mask(1); });
    entry(menu, "mask_black", tr("Painted, black"), tr("The layer is seen nowhere; paint where it is"),
          [this] { add_mask(0); });
    menu->addSeparator();
    for (const std::string& name : operation_names()) {
        if (!name.starts_with("mask-")) continue;
        std::unique_ptr<Operation> operation = make_operation(name);
        // One that changes a mask has none to begin with.
        if (reads(*operation, "mask")) continue;
        QString word = QString::fromStdString(name);
        entry(menu, "mask_of_" + word, tr("By %1").arg(word.mid(5)),
              QString::fromStdString(operation->schema().summary()),
              [this, word] { add_generated_mask(word); });
    }
    menu->addSeparator();
    QAction* invert = entry(menu, "mask_invert", tr("Inverted"), tr("The mask's 0 and 1 change places"),
                            [this] { invert_mask(); });
    invert->setCheckable(true);
    invert->setChecked(masked && layer->mask.inverted);
    invert->setEnabled(masked);
    entry(menu, "mask_remove", tr("Remove mask"), tr("The layer is seen everywhere again"), [this] {
        remove_mask();
    })->setEnabled(masked);
}

void LayersPanel::show_menu(const QPoint& at) {
    QMenu menu(this);
    menu.setObjectName("layer_menu");
    menu.setToolTipsVisible(true);
    const Layer* layer = current();
    std::vector<int> layers = chosen();
    auto entry = [&](const QString& title, const QString& help, bool possible, void (LayersPanel::*run)()) {
        QAction* action = menu.addAction(title);
        action->setToolTip(help);
        action->setEnabled(changeable() && possible);
        connect(action, &QAction::triggered, this, run);
        return action;
    };
    bool any = layer;
    bool free = any && !layer->locked;
    Stack stack = any ? stack_of(view_->state().layers, layer->id) : Stack{};
    if (!any) {
        QMenu* add = menu.addMenu(tr("Add layer"));
        fill_add_menu(add);
        add->setEnabled(changeable());
        menu.exec(rows_->viewport()->mapToGlobal(at));
        return;
    }
    entry(tr("Rename"), tr("Give the layer another name"), free, &LayersPanel::rename);
    entry(tr("Duplicate"), tr("A copy on top of each chosen layer"), any, &LayersPanel::duplicate);
    entry(tr("Delete"), tr("Take the chosen layers away"), free, &LayersPanel::remove);
    menu.addSeparator();
    entry(tr("Group"), tr("Put the chosen layers into a group"), free, &LayersPanel::add_group);
    entry(tr("Ungroup"), tr("Dissolve the group; what is in it stays"),
          free && layer->kind == LayerKind::group, &LayersPanel::ungroup);
    entry(tr("Merge down"), tr("Make this layer and the one below it one painted layer"),
          free && stack.index > 0, &LayersPanel::merge_down);
    entry(tr("Collapse"), tr("Make the chosen layers, which lie next to each other, one painted layer"), free,
          &LayersPanel::collapse);
    entry(tr("Rasterise"), tr("Make painted cells of what the layer computes; mask, mode and opacity stay"),
          free && layer->kind != LayerKind::painted && layer->kind != LayerKind::unknown,
          &LayersPanel::rasterise);
    menu.addSeparator();
    QMenu* mask = menu.addMenu(icon("mask"), tr("Mask"));
    fill_mask_menu(mask);
    mask->setEnabled(changeable() && free);
    menu.addSeparator();
    QAction* locked =
        entry(tr("Locked"), tr("Nothing of a locked layer can be changed"), any, &LayersPanel::toggle_locked);
    locked->setCheckable(true);
    locked->setChecked(layer->locked);
    QAction* hidden =
        entry(tr("Hidden"), tr("A hidden layer has no effect"), free, &LayersPanel::toggle_visible);
    hidden->setCheckable(true);
    hidden->setChecked(!layer->visible);
    QAction* alone = entry(tr("Solo"), tr("Show this layer alone; once more shows all as before"), any,
                           &LayersPanel::solo);
    alone->setCheckable(true);
    alone->setChecked(solo_ == layer->id);
    menu.exec(rows_->viewport()->mapToGlobal(at));
}

}  // namespace caprock::editor
