#include "dialogs/preferences.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "dialogs/keys_page.h"
#include "theme/icons.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QFutureWatcher>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QPromise>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QSlider>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableWidget>
#include <QThreadPool>
#include <QVBoxLayout>
#include <cmath>
#include <memory>
#include <utility>

namespace caprock::editor {

namespace {

constexpr uint64_t mebibyte = 1 << 20;

QLabel* muted(const QString& text) {
    auto* label = new QLabel(text);
    label->setWordWrap(true);
    set_tone(label, "muted");
    return label;
}

QFormLayout* form_of(QWidget* page) {
    auto* form = new QFormLayout(page);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(10);
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    form->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    return form;
}

// How a pressure is felt, as a curve.
class PressureCurve : public QWidget {
  public:
    explicit PressureCurve(const PenSettings& pen) : pen_(pen) {
        setObjectName("pen.curve");
        setFixedSize(150, 150);
        setToolTip(tr("From left to right how hard the pen is pressed, upwards what that counts as."));
    }
    void show_pen(const PenSettings& pen) {
        pen_ = pen;
        update();
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
        painter.setPen(hairline(palette()));
        painter.setBrush(palette().color(QPalette::Base));
        painter.drawRoundedRect(frame, 4, 4);
        QRectF area = frame.adjusted(10, 10, -10, -10);
        painter.drawLine(area.bottomLeft(), area.topRight());
        QPolygonF curve;
        for (int i = 0; i <= 60; i++) {
            double pressure = i / 60.0;
            curve << QPointF(area.left() + area.width() * pressure,
                             area.bottom() - area.height() * felt_pressure(pen_, pressure));
        }
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.drawPolyline(curve);
    }

  private:
    PenSettings pen_;
};

QString move_words(Move move) {
    switch (move) {
        case Move::none:
            return {};
        case Move::paint:
            return Preferences::tr("Paint");
        case Move::orbit:
            return Preferences::tr("Turn around the ground");
        case Move::pan:
            return Preferences::tr("Move along");
        case Move::zoom:
            return Preferences::tr("Nearer and farther");
        case Move::look:
            return Preferences::tr("Look around, walk with W A S D");
        case Move::size:
            return Preferences::tr("Brush radius");
        case Move::light:
            return Preferences::tr("Turn the sun");
    }
    return {};
}

}  // namespace

Preferences::Preferences(Actions& actions, QWidget* parent, FindDevices find)
    : QDialog(parent), actions_(actions), find_devices_(std::move(find)) {
    setObjectName("preferences");
    setWindowTitle(tr("Preferences"));
    resize(720, 520);

    pages_ = new QListWidget;
    pages_->setObjectName("preferences.pages");
    pages_->setToolTip(tr("Pages of preferences."));
    pages_->setFixedWidth(150);
    pages_->setIconSize({18, 18});
    pages_->setFrameShape(QFrame::NoFrame);
    pages_->setSpacing(2);
    stack_ = new QStackedWidget;
    connect(pages_, &QListWidget::currentRowChanged, stack_, &QStackedWidget::setCurrentIndex);

    add_page("general", tr("General"), "settings", general_page());
    add_page("devices", tr("Devices"), "play", devices_page());
    auto* keys = new KeysPage(actions_);
    connect(keys, &KeysPage::changed, this, &Preferences::changed);
    add_page("keys", tr("Keys"), "search", keys);
    add_page("navigation", tr("Navigation"), "view-3d", navigation_page());
    add_page("pen", tr("Pen"), "smooth", pen_page());
    pages_->setCurrentRow(0);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setObjectName("preferences.close");
    buttons->button(QDialogButtonBox::Close)->setToolTip(tr("Everything chosen here holds already."));
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::accept);
    auto* right = new QVBoxLayout;
    right->setContentsMargins(20, 16, 16, 12);
    right->setSpacing(12);
    right->addWidget(stack_, 1);
    right->addWidget(buttons);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(pages_);
    row->addLayout(right, 1);
}

void Preferences::add_page(const QString& name, const QString& title, const QString& icon_name,
                           QWidget* page) {
    auto* item = new QListWidgetItem(icon(icon_name), title, pages_);
    item->setData(Qt::UserRole, name);
    item->setSizeHint({140, 34});
    page->setObjectName("preferences." + name);
    stack_->addWidget(page);
}

void Preferences::show_page(const QString& name) {
    for (int row = 0; row < pages_->count(); row++)
        if (pages_->item(row)->data(Qt::UserRole).toString() == name) pages_->setCurrentRow(row);
}

void Preferences::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    list_devices_later();
}

// ---- general -----------------------------------------------------------------------------------------------

QWidget* Preferences::general_page() {
    auto* page = new QWidget;
    QFormLayout* form = form_of(page);

    auto* theme = new QComboBox;
    theme->setObjectName("general.theme");
    theme->setToolTip(tr("The colours of the window."));
    theme->addItem(tr("Dark"));
    theme->addItem(tr("Light"));
    theme->setCurrentIndex(theme_setting() == ThemeKind::light);
    connect(theme, &QComboBox::currentIndexChanged, this, [this](int index) {
        set_theme_setting(index == 1 ? ThemeKind::light : ThemeKind::dark);
        apply_theme(theme_setting());
        Q_EMIT changed();
    });
    form->addRow(tr("Theme"), theme);

    auto* tour = new QCheckBox(tr("Start with the tour"));
    tour->setObjectName("general.tour");
    tour->setToolTip(tr("Shows the five steps of the tour when the editor starts."));
    tour->setChecked(tour_setting());
    connect(tour, &QCheckBox::toggled, this, [this](bool on) {
        set_tour_setting(on);
        Q_EMIT changed();
    });
    form->addRow(tr("At the start"), tour);

    auto* thumbnail = new QCheckBox(tr("Draw the document's picture anew"));
    thumbnail->setObjectName("general.thumbnail");
    thumbnail->setToolTip(
        tr("The picture is shown in the list of recent documents. Without it closing is quicker."));
    thumbnail->setChecked(thumbnail_setting());
    connect(thumbnail, &QCheckBox::toggled, this, [this](bool on) {
        set_thumbnail_setting(on);
        Q_EMIT changed();
    });
    form->addRow(tr("When closing"), thumbnail);

    auto* memory = new QSpinBox;
    memory->setObjectName("general.memory");
    memory->setToolTip(
        tr("How much of the document is kept in memory. What does not fit waits in the file, and takes a "
           "moment to come back."));
    int most = int(machine_memory() / mebibyte);
    memory->setRange(0, most);
    memory->setSingleStep(256);
    memory->setSuffix(tr(" MiB"));
    memory->setSpecialValueText(tr("a quarter"));
    memory->setMinimumWidth(130);
    memory->setValue(int(std::min<uint64_t>(memory_setting() / mebibyte, uint64_t(most))));
    connect(memory, &QSpinBox::valueChanged, this, [this](int value) {
        set_memory_setting(uint64_t(value) * mebibyte);
        Q_EMIT changed();
    });
    form->addRow(tr("Memory for a document"), memory);
    QLabel* note = muted(tr("This machine has %1. Holds for documents that are opened from now on.")
                             .arg(QString::fromStdString(bytes_text(machine_memory()))));
    note->setMinimumWidth(320);
    form->addRow({}, note);
    return page;
}

// ---- devices -----------------------------------------------------------------------------------------------

QWidget* Preferences::devices_page() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    column->addWidget(
        muted(tr("Where terrain is computed. Every device gives the same result, bit for bit; only the time "
                 "differs.")));
    device_choice_ = new QButtonGroup(this);
    auto* list = new QWidget;
    device_list_ = new QVBoxLayout(list);
    device_list_->setContentsMargins(0, 0, 0, 0);
    device_list_->setSpacing(12);
    device_list_->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(list);
    column->addWidget(scroll, 1);
    device_note_ = muted(tr("Looking for devices…"));
    device_note_->setObjectName("devices.note");
    column->addWidget(device_note_);
    add_device("auto", tr("Automatic"),
               tr("A graphics card where there is one and the work is large enough, else the processor."));
    return page;
}

void Preferences::add_device(const QString& word, const QString& title, const QString& about) {
    auto* choice = new QRadioButton(title);
    choice->setObjectName("devices." + word);
    choice->setToolTip(tr("Computes with this. Holds from the next change on."));
    choice->setChecked(QString::fromStdString(device_setting()) == word);
    device_choice_->addButton(choice);
    connect(choice, &QRadioButton::toggled, this, [this, word](bool on) {
        if (!on) return;
        set_device_setting(word.toStdString());
        Q_EMIT changed();
    });
    QLabel* facts = muted(about);
    facts->setContentsMargins(24, 0, 0, 0);
    auto* entry = new QVBoxLayout;
    entry->setSpacing(2);
    entry->addWidget(choice);
    entry->addWidget(facts);
    device_list_->insertLayout(device_list_->count() - 1, entry);
}

void Preferences::list_devices_later() {
    if (devices_asked_) return;
    devices_asked_ = true;
    // Whoever closes the window does not wait for the drivers: the answer then finds nobody.
    struct Answer {
        std::vector<DeviceDescription> devices;
        QString trouble;
    };
    auto promise = std::make_shared<QPromise<Answer>>();
    auto* watcher = new QFutureWatcher<Answer>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher] {
        Answer answer = watcher->result();
        take_devices(answer.devices, answer.trouble);
        watcher->deleteLater();
    });
    watcher->setFuture(promise->future());
    QThreadPool::globalInstance()->start([promise, find = find_devices_] {
        promise->start();
        Answer answer;
        try {
            answer.devices = find();
        } catch (const std::exception& error) {
            answer.trouble = QString::fromStdString(error.what());
        }
        promise->addResult(answer);
        promise->finish();
    });
}

void Preferences::take_devices(const std::vector<DeviceDescription>& devices, const QString& trouble) {
    QString chosen = QString::fromStdString(device_setting());
    bool there = chosen == "auto";
    bool any_gpu = false;
    for (const DeviceDescription& device : devices) {
        QString name = QString::fromStdString(device.name);
        QString title = device.name == "cpu" ? tr("Processor") : name;
        there = there || name == chosen;
        any_gpu = any_gpu || device.gpu;
        QStringList facts{QString::fromStdString(device.platform)};
        if (device.gpu) facts.prepend(tr("graphics card"));
        if (device.memory > 0)
            facts << tr("%1 of memory").arg(QString::fromStdString(bytes_text(device.memory)));
        if (device.compute_units > 0)
            facts << (device.compute_units == 1 ? tr("1 compute unit")
                                                : tr("%1 compute units").arg(device.compute_units));
        add_device(name, title, facts.join(QStringLiteral(" · ")));
    }
    if (!there) {
        add_device(chosen, chosen, tr("Chosen earlier, but not found now."));
    }
    device_note_->setText(!trouble.isEmpty() ? trouble
                          : any_gpu          ? QString()
                                             : tr("No graphics card with OpenCL was found."));
    device_note_->setVisible(!device_note_->text().isEmpty());
    Q_EMIT devices_listed();
}

// ---- navigation --------------------------------------------------------------------------------------------

QWidget* Preferences::navigation_page() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    auto* style = new QComboBox;
    style->setObjectName("navigation.style");
    style->setToolTip(tr("Which button moves what, as in the program you are used to."));
    style->addItem(tr("Caprock"), int(NavigationStyle::caprock));
    style->addItem(tr("Like Blender"), int(NavigationStyle::blender));
    style->addItem(tr("Like Unreal"), int(NavigationStyle::unreal));
    style->setCurrentIndex(style->findData(int(navigation_setting())));
    connect(style, &QComboBox::currentIndexChanged, this, [this, style] {
        set_navigation_setting(NavigationStyle(style->currentData().toInt()));
        show_moves();
        Q_EMIT changed();
    });
    auto* choice = new QHBoxLayout;
    choice->addWidget(new QLabel(tr("Buttons of the mouse")));
    choice->addWidget(style);
    choice->addStretch(1);
    column->addLayout(choice);

    moves_ = new QTableWidget(0, 2);
    moves_->setObjectName("navigation.moves");
    moves_->setToolTip(tr("What the buttons do in the chosen style."));
    moves_->setHorizontalHeaderLabels({tr("With the mouse over the terrain"), tr("does")});
    moves_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    moves_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    moves_->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    moves_->verticalHeader()->hide();
    moves_->setShowGrid(false);
    moves_->setAlternatingRowColors(true);
    moves_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    moves_->setSelectionMode(QAbstractItemView::NoSelection);
    moves_->setFocusPolicy(Qt::NoFocus);
    column->addWidget(moves_, 1);
    show_moves();
    return page;
}

void Preferences::show_moves() {
    const NavigationStyle style = navigation_setting();
    const std::pair<Qt::MouseButton, QString> buttons[] = {{Qt::LeftButton, tr("Left button")},
                                                           {Qt::MiddleButton, tr("Middle button")},
                                                           {Qt::RightButton, tr("Right button")}};
    const std::pair<Qt::KeyboardModifiers, QString> modifiers[] = {{Qt::NoModifier, QString()},
                                                                   {Qt::ShiftModifier, tr("Shift + ")},
                                                                   {Qt::ControlModifier, tr("Ctrl + ")},
                                                                   {Qt::AltModifier, tr("Alt + ")}};
    moves_->setRowCount(0);
    auto add = [this](const QString& what, const QString& does) {
        int row = moves_->rowCount();
        moves_->insertRow(row);
        moves_->setItem(row, 0, new QTableWidgetItem(what));
        moves_->setItem(row, 1, new QTableWidgetItem(does));
    };
    for (const auto& [button, button_words] : buttons) {
        Move plain = move_for(style, button, Qt::NoModifier);
        for (const auto& [modifier, modifier_words] : modifiers) {
            Move move = move_for(style, button, modifier);
            // A modifier that changes nothing needs no line.
            if (move == Move::none || (modifier != Qt::NoModifier && move == plain)) continue;
            QString words =
                modifier == Qt::NoModifier ? button_words : modifier_words + button_words.toLower();
            add(words, move_words(move));
        }
    }
    add(tr("Wheel"), move_words(Move::zoom));
    add(tr("L + left button"), move_words(Move::light));
    add(tr("Right click"), tr("Menu of the place"));
}

// ---- pen ---------------------------------------------------------------------------------------------------

QWidget* Preferences::pen_page() {
    auto* page = new QWidget;
    QFormLayout* form = form_of(page);
    const PenSettings pen = pen_setting();
    auto* curve = new PressureCurve(pen);

    auto* firmness = new QSlider(Qt::Horizontal);
    firmness->setObjectName("pen.firmness");
    firmness->setToolTip(tr("To the left a light touch is enough, to the right the pen has to be pressed."));
    firmness->setRange(-20, 20);
    firmness->setFixedWidth(200);
    firmness->setValue(int(std::lround(std::log2(pen.firmness) * 10)));
    auto* ends = new QHBoxLayout;
    ends->setSpacing(8);
    ends->addWidget(muted(tr("soft")));
    ends->addWidget(firmness);
    ends->addWidget(muted(tr("firm")));
    form->addRow(tr("Feel"), ends);

    auto* least = new QSpinBox;
    least->setObjectName("pen.least");
    least->setToolTip(tr("Pressures below this count as none: for pens that never rest at zero."));
    least->setRange(0, 50);
    least->setSuffix(tr(" %"));
    least->setValue(int(std::lround(pen.least * 100)));
    form->addRow(tr("Ignore below"), least);

    auto* eraser = new QCheckBox(tr("The other end erases"));
    eraser->setObjectName("pen.eraser");
    eraser->setToolTip(tr("Takes the eraser while the pen is upside down."));
    eraser->setChecked(pen.eraser);
    form->addRow(tr("Eraser"), eraser);
    form->addRow(tr("Pressure"), curve);

    auto take = [this, firmness, least, eraser, curve] {
        PenSettings now;
        now.firmness = std::pow(2.0, firmness->value() / 10.0);
        now.least = least->value() / 100.0;
        now.eraser = eraser->isChecked();
        set_pen_setting(now);
        curve->show_pen(now);
        Q_EMIT changed();
    };
    connect(firmness, &QSlider::valueChanged, this, take);
    connect(least, &QSpinBox::valueChanged, this, take);
    connect(eraser, &QCheckBox::toggled, this, take);
    return page;
}

}  // namespace caprock::editor
