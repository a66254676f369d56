#include "panels/brush_panel.h"

#include "base/error.h"
#include "base/text_file.h"
#include "document/layer.h"
#include "formats/formats.h"
#include "painting/brush_text.h"
#include "painting/picture.h"
#include "theme/theme.h"
#include "widgets/falloff_preview.h"
#include "widgets/icon_button.h"
#include "widgets/parameter_form.h"
#include "widgets/section.h"
#include "widgets/wording.h"

#include <QComboBox>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QSettings>
#include <QVBoxLayout>
#include <filesystem>
#include <fmt/format.h>

namespace caprock::editor {

namespace {

constexpr int icon_side = 22;
// A file of a brush is a page of text; anything larger is something else.
constexpr size_t largest_brush = size_t(16) << 20;

QString bound_text(BrushSource source) {
    switch (source) {
        case BrushSource::direction:
            return BrushPanel::tr("turned with the direction of the stroke");
        case BrushSource::centre_x:
        case BrushSource::centre_y:
            return BrushPanel::tr("set to the middle of every dab");
        case BrushSource::centre_height:
            return BrushPanel::tr("set to the height of the ground in the middle of every dab");
        case BrushSource::start_x:
        case BrushSource::start_y:
            return BrushPanel::tr("set to where the stroke begins");
        case BrushSource::start_height:
            return BrushPanel::tr("set to the height of the ground where the stroke begins");
        case BrushSource::start_grade_x:
        case BrushSource::start_grade_y:
            return BrushPanel::tr("set to how steep the ground is where the stroke begins");
        case BrushSource::mean_height:
            return BrushPanel::tr("set to the mean height of the ground under every dab");
        case BrushSource::mean_grade_x:
        case BrushSource::mean_grade_y:
            return BrushPanel::tr("set to how steep the ground is under every dab");
        case BrushSource::radius:
            return BrushPanel::tr("a share of the dab's radius");
        case BrushSource::move_x:
        case BrushSource::move_y:
            return BrushPanel::tr("multiplied by the way from dab to dab");
        case BrushSource::pressure:
            return BrushPanel::tr("multiplied by the pen's pressure");
        case BrushSource::tilt:
            return BrushPanel::tr("set to the pen's tilt");
        case BrushSource::path:
            return BrushPanel::tr("set to the path of the stroke");
    }
    return {};
}

QString title_of(const QString& name, const Brush& brush) {
    QString title = QString::fromStdString(brush.title);
    return title.isEmpty() || title.size() > 32 ? titled(name.toStdString()) : title;
}

// With the range that the strength has for this brush: metres, or a share of the way.
FormValues settings_of(const Brush& brush) {
    return FormValues::of(brush.settings, [&](Declaration& declaration) {
        if (!brush.adds())
            declaration.adjust("strength").range(0, 1).slider(0, 1);
        else if (is_ground(brush.settings.field))
            declaration.adjust("strength").unit("m");
    });
}

}  // namespace

BrushPanel::BrushPanel(BrushKit& kit, QWidget* parent) : QWidget(parent), kit_(kit) {
    setObjectName("brush");
    for (const Quantity& quantity : quantities()) fields_.push_back(QString::fromUtf8(quantity.name));
    readers_.setMaxThreadCount(1);
    build();
    list_brushes();
    connect(&kit_, &BrushKit::changed, this, &BrushPanel::refresh);
    refresh();
}

BrushPanel::~BrushPanel() {
    readers_.clear();
    readers_.waitForDone();
}

// ---- making the page ---------------------------------------------------------------------------------------

void BrushPanel::build() {
    auto* scroll = new QScrollArea(this);
    scroll->setObjectName("brush.scroll");
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(scroll);
    auto* page = new QWidget;
    page_ = new QVBoxLayout(page);
    page_->setContentsMargins(8, 8, 8, 8);
    page_->setSpacing(6);
    scroll->setWidget(page);

    auto* head = new QHBoxLayout;
    head->setSpacing(2);
    brushes_ = new QComboBox(page);
    brushes_->setObjectName("brush.combo");
    brushes_->setAccessibleName(tr("Brush"));
    brushes_->setIconSize({icon_side, icon_side});
    brushes_->setMaxVisibleItems(18);
    brushes_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    brushes_->setMinimumContentsLength(8);
    brushes_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    brushes_->setFocusPolicy(Qt::StrongFocus);
    reset_ = small_icon_button("reset", "brush.reset", tr("The brush as it came"), page);
    QToolButton* more =
        small_icon_button("more", "brush.more", tr("Save the brush as a file, or load one"), page);
    head->addWidget(brushes_, 1);
    head->addSpacing(2);
    head->addWidget(reset_);
    head->addWidget(more);
    page_->addLayout(head);
    auto line = [&](const char* name, const char* tone) {
        auto* label = new QLabel(page);
        label->setObjectName(name);
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        set_tone(label, tone);
        page_->addWidget(label);
        return label;
    };
    about_ = line("brush.about", "muted");
    trouble_ = line("brush.trouble", "warning");
    preview_ = new FalloffPreview(page);
    preview_->setObjectName("brush.preview");
    preview_->setToolTip(tr("A dab from the side and from above: how much of the strength is where"));
    page_->addWidget(preview_);
    add_settings(nullptr, "brush.front", {"radius", "falloff", "power", "strength", "spacing"});
    page_->addSpacing(2);

    add_settings(add_section("pressure", tr("Pressure"), tr("What the pen's pressure changes"), false),
                 "pressure.form", {"pressure-strength", "pressure-radius", "pressure-falloff"},
                 {{"pressure-strength", tr("Strength")},
                  {"pressure-radius", tr("Radius")},
                  {"pressure-falloff", tr("Falloff")}});
    add_settings(add_section("tip", tr("Tip"), tr("The shape of the dab, and how dabs differ"), false),
                 "tip.form",
                 {"curve", "tip", "tip-angle", "tip-follows", "turn-jitter", "size-jitter", "scatter"});
    add_settings(add_section("stroke", tr("Stroke and symmetry"),
                             tr("How dabs follow the pen, and are repeated"), false),
                 "stroke.form", {"line", "spline", "symmetry", "symmetry-count", "symmetry-centre"},
                 {{"symmetry-count", tr("Copies")}, {"symmetry-centre", tr("Centre")}});
    add_settings(add_section("effect", tr("What it does"),
                             tr("How the operation becomes paint, and on which field"), false),
                 "effect.form", {"field", "apply", "towards", "from", "range", "seeds", "coordinates"});
    operation_section_ = add_section("operation", tr("Operation"), {}, true);
    operation_form_ = new ParameterForm(operation_section_);
    operation_form_->setObjectName("operation.form");
    // The brush says on which field.
    operation_form_->leave_out({"field"});
    operation_section_->add(operation_form_);
    blend_section_ =
        add_section("blend", tr("Blending"), tr("How the result comes together with what is there"), true);
    blend_form_ = new ParameterForm(blend_section_);
    blend_form_->setObjectName("blend.form");
    std::vector<std::string> said_by_others = blend_parameters_of_evaluator();
    said_by_others.emplace_back("opacity");
    blend_form_->leave_out(said_by_others);
    blend_form_->without_maps();
    blend_section_->add(blend_form_);
    page_->addStretch(1);

    connect(brushes_, &QComboBox::activated, this, [this](int index) {
        try {
            kit_.take(brushes_->itemData(index).toString());
        } catch (const Error& error) {
            show_trouble(QString::fromUtf8(error.what()));
        }
    });
    connect(reset_, &QAbstractButton::clicked, this, [this] { kit_.reset(); });
    connect(more, &QAbstractButton::clicked, this, [this, more] {
        auto* menu = new QMenu(more);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->setToolTipsVisible(true);
        QAction* saves = menu->addAction(tr("Save as file…"), this, &BrushPanel::ask_where_to_save);
        saves->setToolTip(tr("The brush as it is now, to be shared"));
        QAction* loads = menu->addAction(tr("Load file…"), this, &BrushPanel::ask_what_to_load);
        loads->setToolTip(tr("A brush that was saved"));
        menu->popup(more->mapToGlobal(QPoint(0, more->height())));
    });
    connect(operation_form_, &ParameterForm::edited, this,
            [this](const QString& name, const QString& text, bool) {
                set_parameter(&Brush::operation, name.toStdString(), text.toStdString());
            });
    connect(blend_form_, &ParameterForm::edited, this,
            [this](const QString& name, const QString& text, bool) {
                set_parameter(&Brush::blend, name.toStdString(), text.toStdString());
            });
}

Section* BrushPanel::add_section(const QString& name, const QString& title, const QString& help, bool open) {
    auto* section = new Section(name, title, help, page_->parentWidget());
    QString kept = "brush/open/" + name;
    section->set_open(QSettings().value(kept, open).toBool());
    connect(section, &Section::toggled, this, [kept](bool now) { QSettings().setValue(kept, now); });
    page_->addWidget(section);
    return section;
}

void BrushPanel::add_settings(Section* into, const QString& name, std::vector<std::string> names,
                              std::map<std::string, QString> titles) {
    auto* form = new ParameterForm(page_->parentWidget());
    form->set_titles(std::move(titles));
    form->setObjectName(name);
    form->set_names(std::move(names));
    form->set_fields(fields_);
    form->set_check([this](const std::string& setting, const std::string& text) {
        BrushSettings copy = kit_.brush().settings;
        Declaration declaration;
        copy.describe(declaration);
        if (!text.empty()) declaration.set_text(setting, text);
        copy.check();
    });
    connect(form, &ParameterForm::edited, this, [this](const QString& setting, const QString& text, bool) {
        set_setting(setting.toStdString(), text.toStdString());
    });
    settings_.push_back(form);
    if (into) return into->add(form);
    // In line with those in sections.
    form->setContentsMargins(8, 0, 2, 0);
    form->set_name_share(0.27);
    page_->addWidget(form);
}

void BrushPanel::list_brushes() {
    brushes_->clear();
    for (const std::string& name : brush_names()) add_item(QString::fromStdString(name), brush_named(name));
    for (const auto& [name, brush] : originals_)
        if (brushes_->findData(name) < 0) add_item(name, brush);
    brushes_->setCurrentIndex(brushes_->findData(kit_.name()));
}

void BrushPanel::add_item(const QString& name, const Brush& brush) {
    QColor ink = palette().color(QPalette::Text);
    double ratio = devicePixelRatioF();
    QImage image = dab_picture(brush.settings.shape(), brush.tip, int(icon_side * ratio), ink);
    image.setDevicePixelRatio(ratio);
    QString title = title_of(name, brush);
    brushes_->addItem(QIcon(QPixmap::fromImage(image)), title, name);
    QString about = QString("<p><b>%1</b><br>%2</p>")
                        .arg(title.toHtmlEscaped(), QString::fromStdString(brush.about).toHtmlEscaped());
    brushes_->setItemData(brushes_->count() - 1, about, Qt::ToolTipRole);
}

void BrushPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    // Their pictures are in the colour of the text.
    list_brushes();
}

// ---- showing -----------------------------------------------------------------------------------------------

const Brush& BrushPanel::original() {
    auto known = originals_.find(kit_.name());
    if (known != originals_.end() && kit_.is_modified()) return known->second;
    bool comes_along = is_brush(kit_.name().toStdString());
    if (!kit_.is_modified())
        originals_[kit_.name()] = kit_.brush();
    else if (known == originals_.end())
        originals_[kit_.name()] = comes_along ? brush_named(kit_.name().toStdString()) : kit_.brush();
    return originals_[kit_.name()];
}

void BrushPanel::refresh() {
    const Brush& brush = kit_.brush();
    const Brush& came = original();
    int index = brushes_->findData(kit_.name());
    if (index < 0) {
        add_item(kit_.name(), came);
        index = brushes_->count() - 1;
    }
    brushes_->setCurrentIndex(index);
    brushes_->setToolTip(brushes_->itemData(index, Qt::ToolTipRole).toString());
    reset_->setEnabled(kit_.is_modified());
    about_->setText(QString::fromStdString(brush.about));
    about_->setVisible(!brush.about.empty());
    preview_->show_dab(brush.settings.shape(), brush.tip, brush.settings.radius);
    for (ParameterForm* form : settings_) {
        FormValues usual = settings_of(came);
        form->present(settings_of(brush), std::move(usual));
    }
    show_operation();
    try {
        brush.check(Grid());
        show_trouble({});
    } catch (const Error& error) {
        show_trouble(QString::fromUtf8(error.what()));
    }
}

void BrushPanel::show_operation() {
    const Brush& brush = kit_.brush();
    const Brush& came = original();
    operation_section_->setVisible(brush.operation != nullptr);
    blend_section_->setVisible(brush.blend != nullptr);
    auto usual = [](const std::shared_ptr<const Operation>& now,
                    const std::shared_ptr<const Operation>& then) {
        return then && then->name() == now->name() ? FormValues(*then) : FormValues::usual(*now);
    };
    if (brush.operation) {
        operation_section_->set_title(titled(brush.operation->name()));
        operation_section_->setToolTip(sentence(brush.operation->schema().summary()));
        std::map<std::string, QString> notes;
        for (const BrushBinding& binding : brush.bindings)
            notes[binding.parameter] = QStringLiteral("↳ ") + bound_text(binding.source);
        operation_form_->set_fields(fields_);
        operation_form_->present(FormValues(*brush.operation), usual(brush.operation, came.operation));
        operation_form_->set_notes(std::move(notes));
        if (operation_form_->names().empty()) operation_section_->hide();
    }
    if (brush.blend) {
        blend_form_->set_fields(fields_);
        blend_form_->present(FormValues(*brush.blend), usual(brush.blend, came.blend));
    }
}

void BrushPanel::set_fields(const QStringList& fields) {
    if (fields == fields_) return;
    fields_ = fields;
    for (ParameterForm* form : settings_) form->set_fields(fields_);
    operation_form_->set_fields(fields_);
    blend_form_->set_fields(fields_);
}

void BrushPanel::show_trouble(const QString& what) {
    trouble_->setText(what);
    trouble_->setVisible(!what.isEmpty());
}

// ---- changing ----------------------------------------------------------------------------------------------

void BrushPanel::set_setting(const std::string& name, const std::string& text) {
    std::string tip_before = kit_.brush().settings.tip;
    kit_.change([&](Brush& brush) {
        Declaration declaration;
        brush.settings.describe(declaration);
        set_form_text(declaration, declaration.schema().at(name), text, true);
        if (name == "tip") brush.tip = Field();
    });
    if (name == "tip" && !text.empty()) load_tip(QString::fromStdString(text), tip_before);
}

void BrushPanel::set_parameter(std::shared_ptr<const Operation> Brush::*operation, const std::string& name,
                               const std::string& text) {
    if (!(kit_.brush().*operation)) return;
    std::shared_ptr<Operation> copy = (kit_.brush().*operation)->clone();
    const Parameter* parameter = copy->schema().find(name);
    if (!parameter) return;
    set_form_text(*copy, *parameter, text, true);
    kit_.change([&](Brush& brush) { brush.*operation = copy; });
}

// A picture may be large, and its disk slow.
void BrushPanel::load_tip(const QString& file, const std::string& before) {
    readers_.start([this, file, before, name = kit_.name()] {
        Field tip;
        QString refusal;
        try {
            tip = tip_from(read_terrain(file.toStdString()));
        } catch (const std::exception& error) {
            refusal = QString::fromUtf8(error.what());
        }
        QMetaObject::invokeMethod(this, [this, file, before, name, tip, refusal] {
            // Meanwhile it may have been laid down, or given another tip.
            if (kit_.name() != name || kit_.brush().settings.tip != file.toStdString()) return;
            kit_.change([&](Brush& brush) {
                brush.tip = tip;
                if (!refusal.isEmpty()) brush.settings.tip = before == file.toStdString() ? "" : before;
            });
            if (refusal.isEmpty()) return;
            for (ParameterForm* form : settings_) form->refuse("tip", refusal);
            if (!kit_.brush().settings.tip.empty())
                load_tip(QString::fromStdString(kit_.brush().settings.tip), kit_.brush().settings.tip);
        });
    });
}

// ---- files -------------------------------------------------------------------------------------------------

void BrushPanel::save_to(const QString& file) const {
    try {
        write_whole_text(brush_text(kit_.brush()), file.toStdString());
    } catch (const Error& error) {
        throw Error(fmt::format("{} was not saved: {}", file.toStdString(), error.what()));
    }
}

void BrushPanel::load_from(const QString& file) {
    Brush brush;
    try {
        brush = parse_brush(text_of_file(file.toStdString(), largest_brush, "that is no brush"));
    } catch (const Error& error) {
        throw Error(fmt::format("{} was not loaded: {}", file.toStdString(), error.what()));
    }
    QFileInfo info(file);
    // A brush and its tip lie in one folder.
    std::filesystem::path tip = brush.settings.tip;
    if (!tip.empty() && tip.is_relative())
        brush.settings.tip = info.dir().absoluteFilePath(QString::fromStdString(tip.string())).toStdString();
    // Not in place of one that comes along.
    QString name = info.completeBaseName();
    if (is_brush(name.toStdString())) name = tr("%1 (of a file)").arg(name);
    kit_.take(name, brush);
    if (!brush.settings.tip.empty()) load_tip(QString::fromStdString(brush.settings.tip), {});
}

void BrushPanel::ask_where_to_save() {
    auto* dialog = new QFileDialog(window(), tr("Save the brush"),
                                   QSettings().value("brush/folder").toString(), tr("Brushes (*.json)"));
    dialog->setObjectName("brush.save");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix("json");
    dialog->selectFile(kit_.name() + ".json");
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        QSettings().setValue("brush/folder", QFileInfo(file).path());
        try {
            save_to(file);
        } catch (const Error& error) {
            show_trouble(QString::fromUtf8(error.what()));
        }
    });
    dialog->open();
}

void BrushPanel::ask_what_to_load() {
    auto* dialog = new QFileDialog(window(), tr("Load a brush"), QSettings().value("brush/folder").toString(),
                                   tr("Brushes (*.json)"));
    dialog->setObjectName("brush.load");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        QSettings().setValue("brush/folder", QFileInfo(file).path());
        try {
            load_from(file);
        } catch (const Error& error) {
            show_trouble(QString::fromUtf8(error.what()));
        }
    });
    dialog->open();
}

}  // namespace caprock::editor
