#include "dialogs/start_page.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "dialogs/engine_numbers.h"
#include "dialogs/preset_pictures.h"
#include "dialogs/side_by_side.h"
#include "document/commands.h"
#include "formats/format_table.h"
#include "operation/presets.h"
#include "theme/icons.h"
#include "theme/theme.h"
#include "widgets/wording.h"

#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardPaths>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <QThreadPool>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

namespace caprock::editor {

namespace {

constexpr QSize card_picture(124, 78);
constexpr QSize row_picture(80, 50);
// Fields that a simulation holds of the whole land at a time, about.
constexpr uint64_t simulation_fields = 6;
constexpr const char* example_names[] = {"mesa", "river-canyon", "gullied-mountains", "strata"};

enum StartRole { name_role = Qt::UserRole, about_role, gone_role, elide_role };

// A picture with rounded corners; where there is none yet, a mountain.
void draw_picture(QPainter& painter, const QRect& place, const QIcon& picture, const QPalette& colours) {
    QPainterPath outline;
    outline.addRoundedRect(place, 4, 4);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.setClipPath(outline);
    QPixmap pixmap = picture.pixmap(QSize(1024, 1024));
    if (pixmap.isNull()) {
        painter.fillRect(place, between(colours.color(QPalette::Base), colours.color(QPalette::Text), 0.08));
        QRect middle(0, 0, 28, 28);
        middle.moveCenter(place.center());
        painter.setOpacity(0.5);
        icon("mountain").paint(&painter, middle);
    } else {
        QSize part = QSize(place.size()).scaled(pixmap.size(), Qt::KeepAspectRatio);
        QRect from(QPoint(0, 0), part);
        from.moveCenter(pixmap.rect().center());
        painter.drawPixmap(place, pixmap, from);
    }
    painter.restore();
}

// In the middle, cut off where there is more.
void draw_two_lines(QPainter& painter, const QRect& place, const QString& text) {
    QTextLayout layout(text, painter.font());
    layout.beginLayout();
    QTextLine first = layout.createLine();
    first.setLineWidth(place.width());
    layout.endLayout();
    QFontMetrics metrics(painter.font());
    QString lines = text.left(first.textLength()).trimmed();
    QString rest = text.mid(first.textLength());
    if (!rest.isEmpty()) lines += "\n" + metrics.elidedText(rest, Qt::ElideRight, place.width());
    painter.drawText(place, Qt::AlignHCenter | Qt::AlignTop, lines);
}

// A picture over its title.
class CardDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {card_picture.width() + 14, card_picture.height() + 2 * option.fontMetrics.height() + 16};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        bool chosen = option.state & QStyle::State_Selected;
        bool hovered = option.state & QStyle::State_MouseOver;
        QColor accent = option.palette.color(QPalette::Active, QPalette::Highlight);
        QColor ground = option.palette.color(QPalette::Base);
        QRectF frame = QRectF(option.rect).adjusted(2, 2, -2, -2);
        if (chosen || hovered) {
            painter->setPen(chosen ? QPen(accent, 1.5) : QPen(Qt::NoPen));
            painter->setBrush(between(ground, accent, chosen ? 0.2 : 0.08));
            painter->drawRoundedRect(frame, 6, 6);
        }
        QRect picture(QPoint(option.rect.center().x() - card_picture.width() / 2 + 1, option.rect.top() + 7),
                      card_picture);
        draw_picture(*painter, picture, index.data(Qt::DecorationRole).value<QIcon>(), option.palette);
        QRect words(picture.left(), picture.bottom() + 4, picture.width(), 2 * option.fontMetrics.height());
        painter->setPen(option.palette.color(QPalette::Active, QPalette::Text));
        painter->setFont(option.font);
        draw_two_lines(*painter, words, index.data().toString());
        painter->restore();
    }
};

// A picture beside two lines.
class RowDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return {200, row_picture.height() + 12};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        QColor accent = option.palette.color(QPalette::Active, QPalette::Highlight);
        QColor ground = option.palette.color(QPalette::Base);
        QColor text = option.palette.color(QPalette::Active, QPalette::Text);
        bool focused = (option.state & QStyle::State_Selected) && (option.state & QStyle::State_HasFocus);
        bool hovered = option.state & QStyle::State_MouseOver;
        if (focused || hovered) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(between(ground, accent, focused ? 0.22 : 0.1));
            painter->drawRoundedRect(QRectF(option.rect).adjusted(2, 1, -2, -1), 5, 5);
        }
        QRect picture(QPoint(option.rect.left() + 8, option.rect.top() + 6), row_picture);
        bool gone = index.data(gone_role).toBool();
        painter->setOpacity(gone ? 0.5 : 1);
        draw_picture(*painter, picture, index.data(Qt::DecorationRole).value<QIcon>(), option.palette);
        QRect words = option.rect.adjusted(row_picture.width() + 20, 6, -8, -6);
        int line = option.fontMetrics.height();
        int top = words.center().y() - line - 1;
        QFont bold = option.font;
        bold.setBold(true);
        painter->setFont(bold);
        painter->setPen(text);
        QFontMetrics wide(bold);
        painter->drawText(QRect(words.left(), top, words.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                          wide.elidedText(index.data().toString(), Qt::ElideRight, words.width()));
        painter->setFont(option.font);
        painter->setPen(between(ground, text, 0.62));
        painter->drawText(
            QRect(words.left(), top + line + 2, words.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
            option.fontMetrics.elidedText(index.data(about_role).toString(),
                                          index.data(elide_role).isValid() ? Qt::ElideMiddle : Qt::ElideRight,
                                          words.width()));
        painter->restore();
    }
};

QLabel* heading(const QString& text) {
    auto* label = new QLabel(text);
    set_tone(label, "heading");
    return label;
}

QDoubleSpinBox* metres_box(const char* name, double low, double high, int decimals, const QString& tip) {
    auto* box = new QDoubleSpinBox;
    box->setObjectName(name);
    box->setRange(low, high);
    box->setDecimals(decimals);
    box->setSuffix(StartPage::tr(" m"));
    box->setToolTip(tip);
    return box;
}

QListWidget* row_list(const char* name, const QString& tip) {
    auto* list = new QListWidget;
    list->setObjectName(name);
    list->setToolTip(tip);
    list->setItemDelegate(new RowDelegate(list));
    list->setMouseTracking(true);
    list->setFrameShape(QFrame::NoFrame);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    return list;
}

QString bytes_words(uint64_t bytes) { return QString::fromStdString(bytes_text(bytes)); }

// A name that no file in the folder has.
QString free_name(const QString& folder, const QString& base) {
    QString name = base;
    for (int number = 2; QFileInfo::exists(QDir(folder).filePath(name + ".caprock")); number++)
        name = QString("%1 %2").arg(base).arg(number);
    return name;
}

}  // namespace

QString StartPage::import_filter() {
    QStringList names;
    for (const std::string& ending : read_endings()) names << "*" + QString::fromStdString(ending);
    return tr("Elevation data (%1);;All files (*)").arg(names.join(' '));
}

StartPage::StartPage(QWidget* parent)
    : QWidget(parent), progress_(std::make_shared<Progress>()), pool_(std::make_unique<QThreadPool>()) {
    qRegisterMetaType<NewDocument>("caprock::editor::NewDocument");
    setObjectName("start");
    setAcceptDrops(true);
    pool_->setMaxThreadCount(1);

    auto* title = new QLabel(tr("Caprock"));
    title->setObjectName("start.title");
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * 2);
    large.setBold(true);
    title->setFont(large);
    auto* words = new QLabel(tr("Terrain whose rock has hardness"));
    set_tone(words, "muted");
    auto* tour = new QPushButton(icon("play"), tr("Take the tour"));
    tour->setObjectName("start.tour");
    tour->setToolTip(tr("Five steps through the window."));
    connect(tour, &QPushButton::clicked, this, &StartPage::tour_wanted);
    auto* top = new QHBoxLayout;
    top->setSpacing(14);
    top->addWidget(title);
    top->addWidget(words, 0, Qt::AlignBottom);
    top->addStretch(1);
    top->addWidget(tour, 0, Qt::AlignVCenter);

    auto* inner = new QWidget;
    auto* columns = new QHBoxLayout;
    columns->setSpacing(28);
    columns->addWidget(new_part(), 3);
    columns->addWidget(other_part(), 2);
    auto* column = new QVBoxLayout(inner);
    column->setContentsMargins(28, 20, 28, 20);
    column->setSpacing(16);
    column->addLayout(top);
    column->addLayout(columns, 1);
    inner->setMaximumWidth(1280);
    inner->setMinimumWidth(700);

    auto* centred = new QWidget;
    auto* middle = new QHBoxLayout(centred);
    middle->setContentsMargins(0, 0, 0, 0);
    middle->addStretch(1);
    middle->addWidget(inner, 1000);
    middle->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(centred);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(scroll);
    choose_preset();
}

StartPage::~StartPage() {
    progress_->cancel();
    pool_->clear();
    pool_->waitForDone();
}

// ---- a new document ----------------------------------------------------------------------------------------

QWidget* StartPage::new_part() {
    presets_ = new QListWidget;
    presets_->setObjectName("start.presets");
    presets_->setToolTip(tr("The land that the document begins with."));
    presets_->setViewMode(QListView::IconMode);
    presets_->setItemDelegate(new CardDelegate(presets_));
    presets_->setMovement(QListView::Static);
    presets_->setResizeMode(QListView::Adjust);
    presets_->setUniformItemSizes(true);
    presets_->setFrameShape(QFrame::NoFrame);
    presets_->setMouseTracking(true);
    presets_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    presets_->setMinimumHeight(150);
    auto* empty = new QListWidgetItem(tr("Empty"), presets_);
    empty->setToolTip(tr("Flat ground at height 0, to be painted on."));
    for (const PresetCard& card : preset_cards()) {
        auto* item = new QListWidgetItem(card.title, presets_);
        item->setData(name_role, card.name);
        item->setToolTip(
            QString("<b>%1</b><br>%2").arg(card.title.toHtmlEscaped(), card.about.toHtmlEscaped()));
    }
    presets_->setCurrentRow(0);

    QSettings settings;
    size_ = new QComboBox;
    size_->setObjectName("start.size");
    size_->setToolTip(
        tr("How many cells the land has. Engines take the sizes that bear their name as they are."));
    for (const EngineSize& one : engine_sizes())
        size_->addItem(
            QString("%1 x %1  (%2)").arg(one.side).arg(one.engine == "Godot" ? tr("plain") : one.engine),
            one.side);
    size_->addItem(tr("Own size"), -1);
    size_->setCurrentIndex(std::max(0, size_->findData(1024)));
    width_ = new QSpinBox;
    width_->setObjectName("start.width");
    height_ = new QSpinBox;
    height_->setObjectName("start.height");
    for (QSpinBox* side : {width_, height_}) {
        side->setRange(1, largest_side);
        side->setValue(1024);
        side->setToolTip(tr("Cells from edge to edge, 1 to %1.").arg(largest_side));
    }
    own_size_ = side_by_side({width_, new QLabel("x"), height_});
    cell_ = metres_box("start.cell", 0, 10000, 3, tr("Metres from one cell to the next."));
    low_ = metres_box("start.low", -100000, 100000, 1,
                      tr("The lower end of the height range: formulas call it 0, exports write it as 0."));
    high_ =
        metres_box("start.high", -100000, 100000, 1,
                   tr("The upper end of the height range: formulas call it 1, exports write it as 65535."));
    name_ = new QLineEdit;
    name_->setObjectName("start.name");
    name_->setToolTip(tr("The name of the document's file, NAME.caprock."));
    folder_ = new QLineEdit;
    folder_->setObjectName("start.folder");
    folder_->setToolTip(tr("The folder that the file is made in. It is written while you work."));
    QString usual = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    if (!QFileInfo(usual).isDir()) usual = QDir::homePath();
    folder_->setText(settings.value("start/folder", usual).toString());
    name_->setText(free_name(folder_->text(), tr("Untitled")));
    auto* browse = new QToolButton;
    browse->setObjectName("start.browse");
    browse->setIcon(icon("folder"));
    browse->setToolTip(tr("Chooses the folder."));

    facts_ = new QLabel;
    facts_->setObjectName("start.facts");
    facts_->setWordWrap(true);
    set_tone(facts_, "muted");
    warning_ = new QLabel;
    warning_->setObjectName("start.warning");
    warning_->setWordWrap(true);
    set_tone(warning_, "warning");
    create_ = new QPushButton(icon("add"), tr("Create document"));
    create_->setObjectName("start.create");
    create_->setMinimumHeight(32);

    auto* form = new QFormLayout;
    form->setHorizontalSpacing(14);
    form->setVerticalSpacing(8);
    form->setLabelAlignment(Qt::AlignLeft);
    form->addRow(tr("Size"), size_);
    form->addRow({}, own_size_);
    form->addRow(tr("Cell"), cell_);
    form->addRow(tr("Height range"), side_by_side({low_, new QLabel(tr("to")), high_}));
    form->addRow(tr("Name"), name_);
    form->addRow(tr("Folder"), side_by_side({folder_, browse}));
    static_cast<QHBoxLayout*>(browse->parentWidget()->layout())->setStretchFactor(browse, 0);
    auto* last = new QHBoxLayout;
    last->setSpacing(16);
    auto* said = new QVBoxLayout;
    said->setSpacing(4);
    said->addWidget(facts_);
    said->addWidget(warning_);
    last->addLayout(said, 1);
    last->addWidget(create_, 0, Qt::AlignTop);

    auto* card = new QFrame;
    set_tone(card, "card");
    auto* in_card = new QVBoxLayout(card);
    in_card->setContentsMargins(6, 6, 6, 6);
    in_card->addWidget(presets_);
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    column->addWidget(heading(tr("New document")));
    column->addWidget(card, 1);
    column->addLayout(form);
    column->addLayout(last);

    connect(presets_, &QListWidget::currentRowChanged, this, &StartPage::choose_preset);
    connect(size_, &QComboBox::currentIndexChanged, this, &StartPage::refresh);
    for (QSpinBox* side : {width_, height_})
        connect(side, &QSpinBox::valueChanged, this, &StartPage::refresh);
    for (QDoubleSpinBox* box : {cell_, low_, high_})
        connect(box, &QDoubleSpinBox::valueChanged, this, &StartPage::refresh);
    for (QLineEdit* line : {name_, folder_}) {
        connect(line, &QLineEdit::textChanged, this, &StartPage::refresh);
        connect(line, &QLineEdit::returnPressed, create_, &QPushButton::click);
    }
    connect(browse, &QToolButton::clicked, this, [this] {
        QString chosen =
            QFileDialog::getExistingDirectory(this, tr("Folder of the document"), folder_->text());
        if (!chosen.isEmpty()) folder_->setText(chosen);
    });
    connect(create_, &QPushButton::clicked, this, [this] {
        if (!trouble().isEmpty()) return refresh();
        QSettings().setValue("start/folder", folder());
        Q_EMIT create_wanted(wanted());
    });
    return part;
}

// Cell and range become those that the preset was made for.
void StartPage::choose_preset() {
    QListWidgetItem* item = presets_->currentItem();
    const PresetCard* card = item ? find_preset_card(item->data(name_role).toString()) : nullptr;
    const Grid grid = card ? card->grid : Grid();
    for (auto [box, value] :
         {std::pair{cell_, grid.cell}, {low_, grid.range.low}, {high_, grid.range.high}}) {
        QSignalBlocker quiet(box);
        box->setValue(value);
    }
    refresh();
}

QString StartPage::folder() const {
    QString text = folder_->text().trimmed();
    if (text == "~" || text.startsWith("~/")) text.replace(0, 1, QDir::homePath());
    return text;
}

NewDocument StartPage::wanted() const {
    NewDocument document;
    QString name = name_->text().trimmed();
    if (name.endsWith(".caprock", Qt::CaseInsensitive)) name.chop(8);
    document.path = QDir(folder()).filePath(name + ".caprock");
    int side = size_->currentData().toInt();
    document.grid.extent = side > 0 ? Rect{0, 0, side, side} : Rect{0, 0, width_->value(), height_->value()};
    document.grid.cell = cell_->value();
    document.grid.range = {low_->value(), high_->value()};
    if (QListWidgetItem* item = presets_->currentItem()) document.preset = item->data(name_role).toString();
    return document;
}

QString StartPage::trouble() const {
    const NewDocument document = wanted();
    try {
        document.grid.check();
    } catch (const Error& error) {
        QString words = QString::fromStdString(error.what());
        words[0] = words[0].toUpper();
        return words + ".";
    }
    QString name = QFileInfo(document.path).completeBaseName();
    if (name.isEmpty()) return tr("The document needs a name.");
    if (name_->text().contains('/'))
        return tr("The name may not contain “/”: the folder stands in the line below.");
    QFileInfo place(folder());
    if (folder().isEmpty() || !place.isDir())
        return tr("There is no folder “%1”. Choose one that is there.").arg(folder());
    if (!place.isWritable())
        return tr("The folder “%1” may not be written to. Choose another.").arg(folder());
    if (QFileInfo::exists(document.path))
        return tr("“%1” is there already. “%2” would be free.").arg(name, free_name(folder(), name));
    return {};
}

void StartPage::refresh() {
    own_size_->setVisible(size_->currentData().toInt() < 0);
    const Grid grid = wanted().grid;
    uint64_t field = uint64_t(grid.extent.cells()) * sizeof(float);
    QString land = tr("%1 x %2 of land. Each field takes %3 of memory.")
                       .arg(length_text(grid.extent.width() * grid.cell),
                            length_text(grid.extent.height() * grid.cell), bytes_words(field));
    facts_->setText(land);
    QString why = trouble();
    bool possible = why.isEmpty();
    if (possible && field * simulation_fields > machine_memory())
        why = tr("Simulations such as erosion hold the whole land and would need about %1; this machine has "
                 "%2. "
                 "Painting and noise need less.")
                  .arg(bytes_words(field * simulation_fields), bytes_words(machine_memory()));
    tell(why);
    create_->setEnabled(possible);
    create_->setToolTip(possible ? tr("Makes the file and opens it.") : why);
}

void StartPage::tell(const QString& message) {
    warning_->setText(message);
    warning_->setVisible(!message.isEmpty());
}

// ---- what is there already ---------------------------------------------------------------------------------

QWidget* StartPage::other_part() {
    recent_ = row_list("start.recent", {});
    recent_->installEventFilter(this);
    no_recent_ = new QLabel(tr("Documents that you open or make are listed here."));
    no_recent_->setObjectName("start.no_recent");
    no_recent_->setWordWrap(true);
    no_recent_->setAlignment(Qt::AlignCenter);
    set_tone(no_recent_, "muted");
    examples_ = row_list("start.examples", {});
    for (const char* name : example_names)
        if (const PresetCard* card = find_preset_card(name)) {
            auto* item = new QListWidgetItem(card->title, examples_);
            item->setData(name_role, card->name);
            item->setData(about_role, tr("%1 x %2 cells of %3 m")
                                          .arg(card->grid.extent.width())
                                          .arg(card->grid.extent.height())
                                          .arg(card->grid.cell));
            item->setToolTip(tr("Makes a document of it in the folder of new documents.") + "\n" +
                             card->about);
        }
    examples_->setFixedHeight(examples_->count() * (row_picture.height() + 12) + 4);

    auto* open = new QPushButton(icon("folder"), tr("Open…"));
    open->setObjectName("start.open");
    open->setToolTip(tr("Opens a document, NAME.caprock."));
    auto* import = new QPushButton(icon("import"), tr("Import elevation data…"));
    import->setObjectName("start.import");
    import->setToolTip(
        tr("Makes a document from a GeoTIFF, an SRTM tile, a heightmap or another file of heights."));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(open, 1);
    buttons->addWidget(import, 2);

    auto in_card = [](std::initializer_list<QWidget*> widgets) {
        auto* card = new QFrame;
        set_tone(card, "card");
        auto* column = new QVBoxLayout(card);
        column->setContentsMargins(4, 4, 4, 4);
        for (QWidget* widget : widgets) column->addWidget(widget);
        return card;
    };
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    column->addWidget(heading(tr("Recent documents")));
    column->addWidget(in_card({recent_, no_recent_}), 1);
    column->addLayout(buttons);
    column->addSpacing(6);
    column->addWidget(heading(tr("Examples")));
    column->addWidget(in_card({examples_}));

    for (QListWidget* list : {recent_, examples_}) {
        // One click, or Enter: activation alone would take two here and one there.
        list->setContextMenuPolicy(Qt::NoContextMenu);
    }
    connect(recent_, &QListWidget::itemClicked, this, &StartPage::open_recent);
    connect(examples_, &QListWidget::itemClicked, this,
            [this](QListWidgetItem* item) { make_example(item->data(name_role).toString()); });
    examples_->installEventFilter(this);
    connect(open, &QPushButton::clicked, this, [this] {
        QString path = QFileDialog::getOpenFileName(this, tr("Open document"), folder(),
                                                    tr("Caprock documents (*.caprock);;All files (*)"));
        if (!path.isEmpty()) Q_EMIT open_wanted(path);
    });
    connect(import, &QPushButton::clicked, this, [this] {
        QString start = QSettings().value("start/import-folder", folder()).toString();
        QString path =
            QFileDialog::getOpenFileName(this, tr("Import elevation data"), start, import_filter());
        if (path.isEmpty()) return;
        QSettings().setValue("start/import-folder", QFileInfo(path).absolutePath());
        Q_EMIT import_wanted(path);
    });
    return part;
}

void StartPage::make_example(const QString& preset) {
    const PresetCard* card = find_preset_card(preset);
    QFileInfo place(folder());
    if (!place.isDir() || !place.isWritable())
        return tell(tr("The example needs a folder that can be written to; “%1” is none.").arg(folder()));
    NewDocument document;
    document.path = QDir(folder()).filePath(free_name(folder(), card->title) + ".caprock");
    document.grid = card->grid;
    document.preset = preset;
    Q_EMIT create_wanted(document);
}

void StartPage::open_recent(QListWidgetItem* item) {
    QString path = item->data(name_role).toString();
    if (QFileInfo::exists(path)) {
        Q_EMIT open_wanted(path);
        return;
    }
    tell(tr("“%1” is not there any more. Delete takes it off the list.").arg(path));
}

void StartPage::list_recent() {
    recent_->clear();
    for (const QString& path : recent_documents()) {
        QFileInfo file(path);
        auto* item = new QListWidgetItem(file.completeBaseName(), recent_);
        bool gone = !file.exists();
        item->setData(name_role, path);
        item->setData(gone_role, gone);
        item->setData(elide_role, true);  // of a path the ends say most
        QString place = file.absolutePath();
        if (place.startsWith(QDir::homePath())) place.replace(0, QDir::homePath().size(), "~");
        item->setData(about_role, gone ? tr("not there any more") : place);
        item->setToolTip(path + "\n" + tr("A click opens it; Delete takes it off the list."));
        if (gone) continue;
        pool_->start(
            [this, path, progress = progress_] {
                if (progress->cancelled()) return;
                QImage picture = document_picture(path);
                QMetaObject::invokeMethod(this,
                                          [this, path, picture] { take_recent_picture(path, picture); });
            },
            1);
    }
    recent_->setVisible(recent_->count() > 0);
    no_recent_->setVisible(recent_->count() == 0);
}

void StartPage::draw_pictures() {
    if (pictures_asked_) return;
    pictures_asked_ = true;
    for (const PresetCard& card : preset_cards())
        pool_->start([this, name = card.name, progress = progress_] {
            QImage picture;
            try {
                Progress own(*progress, 0);
                picture = preset_picture(name, own);
            } catch (const std::exception&) {
                // The card keeps its mountain.
                return;
            }
            QMetaObject::invokeMethod(this, [this, name, picture] { take_picture(name, picture); });
        });
}

void StartPage::take_picture(const QString& preset, const QImage& picture) {
    QIcon shown(QPixmap::fromImage(picture));
    for (QListWidget* list : {presets_, examples_})
        for (int row = 0; row < list->count(); row++)
            if (list->item(row)->data(name_role).toString() == preset) list->item(row)->setIcon(shown);
}

void StartPage::take_recent_picture(const QString& path, const QImage& picture) {
    if (picture.isNull()) return;
    for (int row = 0; row < recent_->count(); row++)
        if (recent_->item(row)->data(name_role).toString() == path)
            recent_->item(row)->setIcon(QIcon(QPixmap::fromImage(picture)));
}

void StartPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    list_recent();
    draw_pictures();
    refresh();
}

bool StartPage::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return false;
    auto* list = static_cast<QListWidget*>(watched);
    QListWidgetItem* item = list->currentItem();
    int key = static_cast<QKeyEvent*>(event)->key();
    if (!item) return false;
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        if (list == recent_)
            open_recent(item);
        else
            make_example(item->data(name_role).toString());
        return true;
    }
    if (key == Qt::Key_Delete && list == recent_) {
        forget_recent(item->data(name_role).toString());
        list_recent();
        refresh();
        return true;
    }
    return false;
}

void StartPage::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().isLocalFile()) event->acceptProposedAction();
}

void StartPage::dropEvent(QDropEvent* event) {
    QString path = event->mimeData()->urls().value(0).toLocalFile();
    if (path.isEmpty()) return;
    event->acceptProposedAction();
    if (path.endsWith(".caprock", Qt::CaseInsensitive))
        Q_EMIT open_wanted(path);
    else
        Q_EMIT import_wanted(path);
}

}  // namespace caprock::editor
