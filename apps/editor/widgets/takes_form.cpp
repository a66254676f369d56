#include "widgets/takes_form.h"

#include "widgets/icon_button.h"
#include "widgets/typed_edit.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace caprock::editor {

namespace {

// Returns whether the layer was found: those that come before it lie below it, but not the groups that it is in.
bool collect_below(const std::vector<Layer>& layers, int wanted, std::vector<TakesForm::Source>& below) {
    for (const Layer& layer : layers) {
        if (layer.id == wanted || collect_below(layer.layers, wanted, below)) return true;
        below.push_back({layer.id, QString::fromStdString(layer.name)});
    }
    return false;
}

QComboBox* slim_combo(QWidget* parent) {
    auto* combo = new QComboBox(parent);
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setMinimumContentsLength(4);
    return combo;
}

}  // namespace

std::vector<TakesForm::Source> TakesForm::sources_for(const std::vector<Layer>& layers, int layer) {
    std::vector<Source> below;
    collect_below(layers, layer, below);
    std::ranges::reverse(below);
    return below;
}

TakesForm::TakesForm(QWidget* parent) : QWidget(parent) {
    setObjectName("takes");
    layout_ = new QVBoxLayout(this);
    layout_->setContentsMargins(0, 0, 0, 0);
    layout_->setSpacing(5);
}

void TakesForm::present(const std::vector<LayerTake>& takes, const std::vector<Source>& sources,
                        const QStringList& fields) {
    if (rows_ && takes == takes_ && sources == sources_ && fields == fields_) return;
    takes_ = takes;
    sources_ = sources;
    fields_ = fields;
    build();
}

void TakesForm::build() {
    if (rows_) {
        rows_->hide();
        rows_->deleteLater();
    }
    rows_ = new QWidget(this);
    auto* column = new QVBoxLayout(rows_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(5);
    layout_->addWidget(rows_);
    for (size_t i = 0; i < takes_.size(); i++) add_row(i);
    auto* add = new QPushButton(tr("Take a field from another layer"), rows_);
    add->setObjectName("takes.add");
    add->setEnabled(!sources_.empty());
    add->setToolTip(sources_.empty() ? tr("There is no layer below that it could be taken from")
                                     : tr("What a layer below makes, hidden or not, is there for the "
                                          "operations of this one under a name of its own"));
    column->addWidget(add, 0, Qt::AlignLeft);
    connect(add, &QPushButton::clicked, this, [this] {
        std::vector<LayerTake> more = takes_;
        more.push_back({free_name().toStdString(), sources_.front().layer});
        Q_EMIT edited(more);
    });
    rows_->show();
}

void TakesForm::add_row(size_t index) {
    const LayerTake& take = takes_[index];
    const QString name = QString("takes.%1").arg(index + 1);
    auto* row = new QWidget(rows_);
    row->setObjectName(name);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(4);
    auto* field = new TypedEdit(row);
    field->setObjectName(name + ".field");
    field->setAccessibleName(tr("Name of the field"));
    field->setToolTip(tr("What the operations of this layer call the field"));
    field->show_text(QString::fromStdString(take.field));
    QComboBox* layer = slim_combo(row);
    layer->setObjectName(name + ".layer");
    layer->setAccessibleName(tr("Layer"));
    layer->setToolTip(tr("The layer that makes it"));
    int chosen = -1;
    for (const Source& source : sources_) {
        if (source.layer == take.layer) chosen = layer->count();
        layer->addItem(source.name, source.layer);
    }
    if (chosen < 0) {
        chosen = layer->count();
        layer->addItem(tr("layer %1 (not below)").arg(take.layer), take.layer);
    }
    layer->setCurrentIndex(chosen);
    QComboBox* of = slim_combo(row);
    of->setObjectName(name + ".of");
    of->setAccessibleName(tr("Field of that layer"));
    of->setToolTip(tr("Which of its fields; “any” is the one of the same name, its only one, or its height"));
    of->addItem(tr("any"), QString());
    for (const QString& one : fields_) of->addItem(one, one);
    const QString wanted = QString::fromStdString(take.of);
    if (of->findData(wanted) < 0) of->addItem(wanted, wanted);
    of->setCurrentIndex(of->findData(wanted));
    QToolButton* remove =
        small_icon_button("remove", name + ".remove", tr("Do not take this field any more"), row);
    line->addWidget(field, 3);
    line->addWidget(new QLabel(QStringLiteral("←"), row));
    line->addWidget(layer, 4);
    line->addWidget(of, 3);
    line->addWidget(remove);
    rows_->layout()->addWidget(row);
    connect(field, &TypedEdit::committed, this, [this, index](const QString& text) {
        LayerTake to = takes_[index];
        to.field = text.trimmed().toStdString();
        if (!to.field.empty()) change(index, to);
    });
    connect(layer, &QComboBox::activated, this, [this, index, layer] {
        LayerTake to = takes_[index];
        to.layer = layer->currentData().toInt();
        change(index, to);
    });
    connect(of, &QComboBox::activated, this, [this, index, of] {
        LayerTake to = takes_[index];
        to.of = of->currentData().toString().toStdString();
        change(index, to);
    });
    connect(remove, &QToolButton::clicked, this, [this, index] {
        std::vector<LayerTake> fewer = takes_;
        fewer.erase(fewer.begin() + std::ptrdiff_t(index));
        Q_EMIT edited(fewer);
    });
}

void TakesForm::change(size_t index, const LayerTake& to) {
    if (to == takes_[index]) return;
    std::vector<LayerTake> changed = takes_;
    changed[index] = to;
    Q_EMIT edited(changed);
}

QString TakesForm::free_name() const {
    auto is_taken = [&](const QString& name) {
        return std::ranges::any_of(takes_,
                                   [&](const LayerTake& take) { return take.field == name.toStdString(); });
    };
    // What most operations ask for first.
    for (const char* usual : {"source", "hardness"})
        if (!is_taken(usual)) return usual;
    int number = 1;
    while (is_taken(QString("field-%1").arg(number))) number++;
    return QString("field-%1").arg(number);
}

}  // namespace caprock::editor
