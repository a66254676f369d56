#include "panels/properties_panel.h"

#include "base/error.h"
#include "document/commands.h"
#include "document/document_lines.h"
#include "document/layer_settings.h"
#include "document/setting_list.h"
#include "operation/presets.h"
#include "theme/theme.h"
#include "widgets/icon_button.h"
#include "widgets/parameter_form.h"
#include "widgets/parameter_row.h"
#include "widgets/preset_gallery.h"
#include "widgets/section.h"
#include "widgets/takes_form.h"
#include "widgets/typed_edit.h"
#include "widgets/wording.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QVBoxLayout>
#include <QWhatsThis>
#include <algorithm>
#include <fmt/format.h>

namespace caprock::editor {

namespace {

// The layer's own settings, with its field as one to choose.
struct OwnSettings : LayerSettings {
    using LayerSettings::LayerSettings;

    void describe(Declaration& d) {
        Declaration texts;
        LayerSettings::describe(texts);
        d.field("field", field).help(texts.schema().at("field").help());
        d.include(texts, [](const Parameter& parameter) { return parameter.name() != "field"; });
    }
};

bool is_text(ParameterType type) {
    return type == ParameterType::text || type == ParameterType::file || type == ParameterType::field ||
           type == ParameterType::points || type == ParameterType::lines;
}

QLabel* text_line(const QString& name, const char* tone, QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    set_tone(label, tone);
    return label;
}

void collect_fields(const std::vector<Layer>& layers, QStringList& names) {
    auto add = [&](const std::string& name) {
        QString field = QString::fromStdString(name);
        if (!name.empty() && !names.contains(field)) names << field;
    };
    for (const Layer& layer : layers) {
        add(layer.field);
        for (const LayerCanvas& canvas : layer.canvases) add(canvas.field);
        for (const LayerOperation& step : layer.operations)
            if (step.operation)
                for (const std::string& made : step.operation->fields().outputs) add(made);
        for (const LayerTake& take : layer.takes) add(take.field);
        collect_fields(layer.layers, names);
    }
}

// Line sets that layers make. Which of them lie below a layer is said when they are taken.
void collect_made_lines(const std::vector<Layer>& layers, QStringList& names) {
    for (const Layer& layer : layers) {
        for (const LayerOperation& step : layer.operations)
            if (step.operation)
                for (const std::string& made : step.operation->fields().line_outputs)
                    if (QString name = QString::fromStdString(made); !names.contains(name)) names << name;
        collect_made_lines(layer.layers, names);
    }
}

}  // namespace

PropertiesPanel::PropertiesPanel(Workshop& workshop, Selection& selection, QWidget* parent)
    : QWidget(parent), workshop_(workshop), selection_(selection) {
    setObjectName("properties");
    scroll_ = new QScrollArea(this);
    scroll_->setObjectName("properties.scroll");
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    empty_ = text_line("properties.empty", "muted", this);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setMargin(16);

    page_ = new QWidget;
    page_layout_ = new QVBoxLayout(page_);
    page_layout_->setContentsMargins(8, 8, 8, 8);
    page_layout_->setSpacing(6);
    name_ = new TypedEdit(page_);
    name_->setObjectName("properties.name");
    name_->setAccessibleName(tr("Name of the layer"));
    name_->setToolTip(tr("What the layer is called"));
    QFont bold;
    bold.setBold(true);
    name_->setFont(bold);
    kind_ = text_line("properties.kind", "muted", page_);
    why_not_ = text_line("properties.why_not", "accent", page_);
    unlock_ = new QPushButton(tr("Unlock"), page_);
    unlock_->setObjectName("properties.unlock");
    unlock_->setToolTip(tr("The layer can be changed again"));
    page_layout_->addWidget(name_);
    page_layout_->addWidget(kind_);
    page_layout_->addWidget(why_not_);
    page_layout_->addWidget(unlock_, 0, Qt::AlignLeft);
    page_layout_->addStretch(1);
    scroll_->setWidget(page_);

    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(scroll_);
    all->addWidget(empty_, 1);

    gallery_ = new PresetGallery(this);
    connect(gallery_, &PresetGallery::chosen, this, [this](const QString& name) {
        if (!gallery_part_) return;
        Recipe recipe = preset(name.toStdString(), [](const std::string&) {});
        take_values(*gallery_part_, *recipe.operations.at(0),
                    tr("Taking the preset %1").arg(QString::fromStdString(recipe.title)));
    });
    connect(&selection_, &Selection::changed, this, &PropertiesPanel::refresh);
    // What was refused is not so.
    connect(&workshop_, &Workshop::failed, this, &PropertiesPanel::refresh);
    connect(name_, &TypedEdit::committed, this, [this](const QString& text) {
        if (text.isEmpty()) return;
        name_->show_text(text);
        post(tr("Renaming the layer"), {{"name", text.toStdString()}});
    });
    connect(unlock_, &QAbstractButton::clicked, this, [this] {
        post(tr("Unlocking the layer"), {{"locked", "false"}});
    });
    refresh();
}

PropertiesPanel::~PropertiesPanel() = default;

void PropertiesPanel::set_document(DocumentViewPointer view) {
    view_ = std::move(view);
    // What was posted to another document will not come.
    if (!view_ || view_->opened) done_->store(posted_);
    bool waiting = done_->load() < posted_;
    if (!waiting || !layer()) refresh();
}

const Layer* PropertiesPanel::layer() const {
    return view_ ? find_layer(view_->state().layers, layer_) : nullptr;
}

void PropertiesPanel::refresh() {
    // What is being typed belongs to the layer that was here.
    if (layer_ != selection_.layer()) leave();
    layer_ = selection_.layer();
    const Layer* now = layer();
    scroll_->setVisible(now != nullptr);
    empty_->setVisible(now == nullptr);
    if (!now) {
        leave();
        empty_->setText(!view_ ? tr("Open or make a terrain, and what can be set of it is found here.")
                        : view_->state().layers.empty()
                            ? tr("There are no layers yet. Add one, and its settings are found here.")
                            : tr("Select a layer to see its settings."));
        return;
    }
    std::string shape = shape_of(*now);
    bool other = shape != shape_;
    if (other) {
        leave();
        shape_ = shape;
        build(*now);
    }
    fill(*now);
    if (other) lay_out();
}

// What was made while another panel lay over this one was laid out by nobody.
void PropertiesPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (body_) lay_out();
}

// At once. Left to the event loop, the request for more room goes up from widget to widget, and until it has reached the scroll
// area all rows are seen squeezed into the room of those that were there before.
void PropertiesPanel::lay_out() {
    body_->show();
    QList<QWidget*> inside = body_->findChildren<QWidget*>();
    // Whoever is within others comes after them.
    std::ranges::reverse(inside);
    inside << body_ << page_;
    for (QWidget* widget : inside) {
        if (!widget->layout()) continue;
        widget->layout()->invalidate();
        widget->layout()->activate();
    }
    QEvent request(QEvent::LayoutRequest);
    QCoreApplication::sendEvent(page_, &request);
}

// Where it is the same, the sections stay and only show other values.
std::string PropertiesPanel::shape_of(const Layer& layer) const {
    std::string shape = fmt::format("{} {} {} {} {}", view_->path, layer.id, int(layer.kind),
                                    int(layer.mask.kind), selection_.mask());
    for (const auto* list : {&layer.operations, &layer.mask.operations}) {
        for (const LayerOperation& step : *list)
            shape += fmt::format(" {}", step.operation ? step.operation->name() : "?");
        shape += ";";
    }
    return shape;
}

// ---- making the page ---------------------------------------------------------------------------------------

void PropertiesPanel::leave() {
    shape_.clear();
    // Nobody drags here any longer, whatever becomes of the mouse.
    if (!drag_.isEmpty()) workshop_.seal();
    drag_.clear();
    name_->finish();
    if (!body_) return;
    // What was typed is given while somebody listens: not every line that is hidden loses the focus at once.
    for (auto* line : body_->findChildren<TypedEdit*>()) line->finish();
    body_->hide();
    for (const auto& part : parts_) part->form->disconnect(this);
    body_->setParent(nullptr);
    body_->deleteLater();
    body_ = nullptr;
    parts_.clear();
    takes_ = nullptr;
    gallery_part_ = nullptr;
    gallery_->hide();
}

void PropertiesPanel::build(const Layer& layer) {
    body_ = new QWidget(page_);
    body_->setObjectName("properties.body");
    body_layout_ = new QVBoxLayout(body_);
    body_layout_->setContentsMargins(0, 2, 0, 0);
    body_layout_->setSpacing(6);
    page_layout_->insertWidget(page_layout_->count() - 1, body_);
    if (layer.kind != LayerKind::unknown) {
        if (selection_.mask()) add_mask(layer);
        add_operations(layer, false);
        add_takes(layer);
        add_blending();
        if (!selection_.mask()) add_mask(layer);
        add_own(layer);
    }
    scroll_->verticalScrollBar()->setValue(0);
}

Section* PropertiesPanel::add_section(const QString& name, const QString& title, const QString& help,
                                      bool open) {
    auto* section = new Section(name, title, help, body_);
    QString kept = "properties/open/" + name;
    section->set_open(QSettings().value(kept, open).toBool());
    connect(section, &Section::toggled, this, [kept](bool now) { QSettings().setValue(kept, now); });
    body_layout_->addWidget(section);
    return section;
}

PropertiesPanel::Part& PropertiesPanel::add_part(Part::Kind kind, size_t step, Section* section,
                                                 std::vector<std::string> names) {
    Part& part = *parts_.emplace_back(std::make_unique<Part>(Part{kind, step, new ParameterForm(section)}));
    part.form->set_names(std::move(names));
    if (kind == Part::Kind::blending) {
        part.form->leave_out(blend_parameters_of_evaluator());
        part.form->without_maps();
    }
    section->add(part.form);
    part.form->set_check([this, &part](const std::string& name, const std::string& text) {
        const Layer* now = layer();
        auto setting = part.settings.find(name);
        // Set to nothing: there is nothing to be wrong with it.
        if (!now || setting == part.settings.end() || text.empty()) return;
        Layer copy = *now;
        set_by_name(copy, setting->second, text, 0, 0);
    });
    connect(part.form, &ParameterForm::edited, this,
            [this, &part](const QString& name, const QString& text, bool dragging) {
                edit(part, name.toStdString(), text.toStdString(), dragging);
            });
    return part;
}

void PropertiesPanel::add_operations(const Layer& layer, bool of_mask) {
    const auto& list = of_mask ? layer.mask.operations : layer.operations;
    for (size_t i = 0; i < list.size(); i++) add_operation(list[i], i, list.size(), of_mask);
}

void PropertiesPanel::add_operation(const LayerOperation& step, size_t index, size_t count, bool of_mask) {
    QString name = QString(of_mask ? "mask.%1" : "operation.%1").arg(index + 1);
    if (!step.operation) {
        Section* section =
            add_section(name, tr("Unknown operation"), tr("Of a newer version of Caprock"), true);
        QLabel* line = text_line(name + ".unknown", "accent", section);
        line->setText(
            tr("This operation was made by a newer version. It is kept as it is, and has no effect here."));
        section->add(line);
        return;
    }
    std::string plain(step.operation->name());
    if (of_mask && plain.starts_with("mask-")) plain.erase(0, 5);
    QString title = titled(plain);
    if (count > 1) title = QString("%1. %2").arg(index + 1).arg(title);
    if (of_mask) title = tr("Mask: %1").arg(title);
    const Schema& schema = step.operation->schema();
    Section* section = add_section(name, title, sentence(schema.summary()), true);
    Part& part = add_part(of_mask ? Part::Kind::mask_operation : Part::Kind::operation, index, section, {});
    add_tools(section, part, *step.operation);
    if (schema.parameters().empty()) {
        QLabel* line = text_line(name + ".nothing", "muted", section);
        line->setText(tr("There is nothing to set."));
        section->add(line);
    }
}

void PropertiesPanel::add_tools(Section* section, const Part& part, const Operation& operation) {
    QString name = section->objectName();
    std::string plain(operation.name());
    if (!presets_of(plain).empty()) {
        QToolButton* presets =
            small_icon_button("presets", name + ".presets",
                              tr("Presets: take over the values of one that comes along"), section);
        section->add_to_head(presets);
        connect(presets, &QAbstractButton::clicked, this, [this, &part, plain, presets] {
            gallery_part_ = &part;
            gallery_->open(plain, presets);
        });
    }
    QToolButton* help =
        small_icon_button("help", name + ".help", tr("What it does, and where it comes from"), section);
    section->add_to_head(help);
    connect(help, &QAbstractButton::clicked, this, [this, &part, help] {
        const Operation* now = operation_of(part);
        if (!now) return;
        QWhatsThis::showText(help->mapToGlobal(QPoint(0, help->height())),
                             described(titled(now->name()), *now), help);
    });
    QToolButton* more =
        small_icon_button("more", name + ".more", tr("Copy, paste or reset all values"), section);
    section->add_to_head(more);
    connect(more, &QAbstractButton::clicked, this, [this, &part, more] {
        const Operation* now = operation_of(part);
        if (!now) return;
        auto* menu = new QMenu(more);
        menu->setObjectName("values");
        menu->setToolTipsVisible(true);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        QAction* copies = menu->addAction(tr("Copy values"));
        copies->setObjectName("values.copy");
        copies->setToolTip(tr("All values of this operation, also for use in other programs"));
        connect(copies, &QAction::triggered, this, [this, &part] {
            if (const Operation* operation = operation_of(part))
                QGuiApplication::clipboard()->setText(QString::fromStdString(operation_text(*operation)));
        });
        QAction* pastes = menu->addAction(tr("Paste values"));
        pastes->setObjectName("values.paste");
        std::shared_ptr<Operation> copied;
        try {
            copied = parse_operation(QGuiApplication::clipboard()->text().toStdString(),
                                     [](const std::string&) {});
        } catch (const std::exception&) {
            // Something else was copied.
        }
        bool fits = copied && copied->name() == now->name();
        pastes->setEnabled(fits);
        pastes->setToolTip(fits ? tr("Take over the values that were copied")
                                : tr("Copy the values of another %1 first").arg(titled(now->name())));
        connect(pastes, &QAction::triggered, this,
                [this, &part, copied] { take_values(part, *copied, tr("Pasting values")); });
        menu->addSeparator();
        QAction* resets = menu->addAction(tr("Back to the usual values"));
        resets->setObjectName("values.reset");
        resets->setToolTip(tr("As a new one of its kind would be"));
        resets->setEnabled(part.form->is_modified() && is_operation(now->name()));
        connect(resets, &QAction::triggered, this, [this, &part] {
            const Operation* operation = operation_of(part);
            if (operation && is_operation(operation->name()))
                take_values(part, *make_operation(operation->name()), tr("Back to the usual values"));
        });
        menu->popup(more->mapToGlobal(QPoint(0, more->height())));
    });
}

void PropertiesPanel::add_takes(const Layer& layer) {
    if (layer.kind != LayerKind::generated && layer.kind != LayerKind::adjustment) return;
    Section* section = add_section(
        "takes", tr("Fields of other layers"),
        tr("What its operations take from layers below, besides what they see anyway"), !layer.takes.empty());
    takes_ = new TakesForm(section);
    section->add(takes_);
    connect(takes_, &TakesForm::edited, this, [this](const std::vector<LayerTake>& takes) {
        if (const Layer* now = this->layer())
            post_operations(tr("Fields of other layers"), now->operations, takes);
    });
}

void PropertiesPanel::add_blending() {
    Section* section = add_section("blending", tr("Blending"),
                                   tr("How the layer comes together with what lies below"), true);
    add_part(Part::Kind::blending, 0, section, {});
}

void PropertiesPanel::add_mask(const Layer& layer) {
    if (layer.mask.kind == LayerMask::Kind::none) return;
    Section* section = add_section("mask", tr("Mask"), tr("Where the layer has an effect"), true);
    QLabel* line = text_line("mask.kind", "muted", section);
    line->setText(layer.mask.kind == LayerMask::Kind::painted
                      ? tr("Painted: select the mask, and brushes paint on it.")
                      : tr("Made by operations, from what lies below."));
    section->add(line);
    add_part(Part::Kind::own, 0, section, {"invert-mask"});
    add_operations(layer, true);
}

void PropertiesPanel::add_own(const Layer& layer) {
    bool generated = layer.kind == LayerKind::generated;
    bool placeable = layer.kind != LayerKind::adjustment && layer.kind != LayerKind::group;
    if (layer.kind != LayerKind::group) {
        Section* section =
            add_section("layer", generated ? tr("Field and range") : tr("Field"),
                        generated ? tr("What the layer acts on, and the heights it goes between")
                                  : tr("What the layer acts on"),
                        !layer.field.empty() || layer.range);
        std::vector<std::string> names = {"field"};
        if (generated) names.emplace_back("range");
        add_part(Part::Kind::own, 0, section, names);
    }
    if (placeable) {
        Section* section =
            add_section("place", tr("Place"), tr("Where the layer's content goes, turned and scaled"),
                        layer.placement.moves());
        add_part(Part::Kind::own, 0, section, {"move", "rotate", "scale"});
    }
}

// ---- showing -----------------------------------------------------------------------------------------------

const Operation* PropertiesPanel::operation_of(const Part& part) const {
    const Layer* now = layer();
    if (!now) return nullptr;
    if (part.kind == Part::Kind::blending) return now->blend.get();
    const auto& list = part.kind == Part::Kind::mask_operation ? now->mask.operations : now->operations;
    return part.step < list.size() ? list[part.step].operation.get() : nullptr;
}

FormValues PropertiesPanel::values_of(const Part& part, const Layer& layer) const {
    if (part.kind == Part::Kind::own) return FormValues::of(OwnSettings(layer));
    const Operation* operation = operation_of(part);
    return operation ? FormValues(*operation) : FormValues();
}

FormValues PropertiesPanel::usual_of(const Part& part, const Layer&) const {
    if (part.kind == Part::Kind::own) return FormValues::of(OwnSettings());
    const Operation* operation = operation_of(part);
    return operation ? FormValues::usual(*operation) : FormValues();
}

void PropertiesPanel::fill(const Layer& layer) {
    name_->show_text(QString::fromStdString(layer.name));
    QString kind;
    switch (layer.kind) {
        case LayerKind::generated:
            kind = tr("Generated layer");
            break;
        case LayerKind::painted:
            kind = tr("Painted layer");
            break;
        case LayerKind::imported:
            kind = tr("Imported from %1").arg(QString::fromStdString(layer.file));
            break;
        case LayerKind::adjustment:
            kind = tr("Adjustment of what lies below");
            break;
        case LayerKind::group:
            kind = tr("Group of %n layer(s)", "", int(layer.layers.size()));
            break;
        case LayerKind::unknown:
            kind = tr("Layer of an unknown kind");
            break;
    }
    kind_->setText(kind);
    say_why_not(layer);

    QStringList fields = field_names();
    QStringList lines;
    for (const std::string& name : line_names(view_->state())) lines << QString::fromStdString(name);
    collect_made_lines(view_->state().layers, lines);
    std::vector<LayerSetting> settings = settings_of(layer);
    for (const auto& part : parts_) {
        part->form->set_fields(fields);
        part->form->set_lines(lines);
        part->settings.clear();
        for (const LayerSetting& setting : settings) {
            bool own = setting.owner == "layer" && setting.step == 0;
            bool blending = setting.owner == "blending" && setting.step == 0;
            bool step = size_t(setting.step) == part->step + 1;
            bool fits = part->kind == Part::Kind::own         ? own
                        : part->kind == Part::Kind::blending  ? blending
                        : part->kind == Part::Kind::operation ? step && !setting.of_mask
                                                              : step && setting.of_mask;
            if (fits) part->settings[setting.name.substr(setting.name.find('.') + 1)] = setting.name;
        }
        part->form->present(values_of(*part, layer), usual_of(*part, layer));
    }
    if (takes_) takes_->present(layer.takes, TakesForm::sources_for(view_->state().layers, layer.id), fields);
    if (auto* section = body_->findChild<Section*>("layer"))
        section->findChild<QLineEdit*>("field.edit")->setPlaceholderText(tr("all"));
}

void PropertiesPanel::say_why_not(const Layer& layer) {
    QString why;
    if (view_->read_only)
        why = tr("The document is open for reading only. Save it under another name to change it.");
    else if (layer.kind == LayerKind::unknown)
        why = tr("This layer was made by a newer version. It is kept as it is, and has no effect here.");
    else if (layer.locked)
        why = tr("The layer is locked, so nothing of it can be changed.");
    why_not_->setText(why);
    why_not_->setVisible(!why.isEmpty());
    unlock_->setVisible(layer.locked && !view_->read_only && layer.kind != LayerKind::unknown);
    name_->setEnabled(why.isEmpty());
    body_->setEnabled(why.isEmpty());
}

QStringList PropertiesPanel::field_names() const {
    QStringList names = {"height"};
    if (view_) collect_fields(view_->state().layers, names);
    return names;
}

// ---- changing ----------------------------------------------------------------------------------------------

void PropertiesPanel::edit(const Part& part, const std::string& name, const std::string& text,
                           bool dragging) {
    auto setting = part.settings.find(name);
    if (setting == part.settings.end()) return;
    QString title = tr("Setting %1").arg(titled(name).toLower());
    const Operation* operation = operation_of(part);
    // Texts that are set to none have no other way: to set_layer() they are not given.
    if (text.empty() && part.kind == Part::Kind::operation && operation) {
        std::shared_ptr<Operation> copy = operation->clone();
        const Parameter* parameter = copy->schema().find(name);
        if (parameter && is_text(parameter->type())) {
            copy->set(*parameter, std::string());
            std::vector<LayerOperation> operations = layer()->operations;
            operations[part.step].operation = copy;
            return post_operations(title, std::move(operations));
        }
    }
    QString drag = QString("layer-%1-%2").arg(layer_).arg(QString::fromStdString(setting->second));
    if (dragging) {
        drag_ = drag;
        return post(title, {{setting->second, text}}, drag);
    }
    bool ends = drag_ == drag;
    drag_.clear();
    post(title, {{setting->second, text}}, ends ? drag : QString());
    if (ends) workshop_.seal();
}

void PropertiesPanel::take_values(const Part& part, const Operation& values, const QString& title) {
    const Operation* operation = operation_of(part);
    if (!operation || operation->name() != values.name()) return;
    std::shared_ptr<Operation> copy = operation->clone();
    Texts texts;
    bool clears = false;
    for (const Parameter& parameter : copy->schema().parameters()) {
        const Parameter* other = values.schema().find(parameter.name());
        // Where the operation works is the layer's affair, not that of the values.
        if (!other || parameter.name() == "field") continue;
        std::string text = values.value_text(*other);
        if (text == copy->value_text(parameter)) continue;
        auto setting = part.settings.find(parameter.name());
        if (setting == part.settings.end()) continue;
        if (text.empty() && is_text(parameter.type())) {
            clears = true;
            copy->set(parameter, std::string());
        } else {
            copy->set_text(parameter, text);
            texts.emplace_back(setting->second, text);
        }
    }
    if (clears && part.kind == Part::Kind::operation) {
        std::vector<LayerOperation> operations = layer()->operations;
        operations[part.step].operation = copy;
        return post_operations(title, std::move(operations));
    }
    if (!texts.empty()) post(title, texts);
}

void PropertiesPanel::post(const QString& title, const Texts& texts, const QString& drag) {
    if (!layer()) return;
    int number = ++posted_;
    workshop_.change(
        title,
        [texts, id = layer_, drag = drag.toStdString(), number, done = done_](Document& document,
                                                                              RunContext&) {
            done->store(number);
            set_layer(document, id, texts, drag);
        },
        drag);
}

void PropertiesPanel::post_operations(const QString& title, std::vector<LayerOperation> operations,
                                      const std::optional<std::vector<LayerTake>>& takes) {
    if (!layer()) return;
    int number = ++posted_;
    workshop_.change(title, [operations = std::move(operations), takes, id = layer_, number, done = done_](
                                Document& document, RunContext&) {
        done->store(number);
        set_operations(document, id, operations, takes);
    });
}

}  // namespace caprock::editor
