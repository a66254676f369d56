#include "widgets/preset_gallery.h"

#include "base/progress.h"
#include "compute/devices.h"
#include "graph/executor.h"
#include "operation/presets.h"
#include "theme/theme.h"
#include "view/relief.h"

#include <QGuiApplication>
#include <QListWidget>
#include <QPainter>
#include <QScreen>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace caprock::editor {

namespace {

// The landscape of the recipe with as many cells as the picture has pixels.
QImage picture_of(const std::string& name, Progress& progress) {
    Recipe recipe = preset(name, [](const std::string&) {});
    Grid grid = recipe.grid.value_or(Grid());
    double across = double(grid.extent.width()) / PresetGallery::picture_width;
    double down = double(grid.extent.height()) / PresetGallery::picture_height;
    // Features of a few cells are all there is in the small figures: they keep their cells.
    grid.cell *= std::max(std::min(across, down), 1.0);
    grid.extent = {0, 0, PresetGallery::picture_width, PresetGallery::picture_height};
    RunContext context;
    context.device = choose_device("cpu", 1, 0);
    context.progress = &progress;
    context.threads = 1;
    Terrain terrain = run_chain(recipe.operations, Terrain(grid), context);
    if (!terrain.has("height")) {
        // Of other fields, shares of their range as heights.
        std::vector<std::string> names = terrain.names();
        if (names.empty()) return {};
        Field field = terrain.field(names.front());
        Terrain shown(grid);
        shown.set_range(terrain.range_of(names.front()));
        shown.set("height", field);
        terrain = shown;
    }
    Picture picture = shaded_relief(terrain);
    return QImage(picture.rgb.data(), picture.size.width, picture.size.height, picture.size.width * 3,
                  QImage::Format_RGB888)
        .copy();
}

}  // namespace

std::vector<std::string> presets_of(std::string_view operation) {
    // The recipes are part of the program, and the same as long as it runs.
    static const std::map<std::string, std::vector<std::string>, std::less<>> all = [] {
        std::map<std::string, std::vector<std::string>, std::less<>> made;
        for (const std::string& name : preset_names()) {
            Recipe recipe = preset(name, [](const std::string&) {});
            if (recipe.operations.size() == 1)
                made[std::string(recipe.operations[0]->name())].push_back(name);
        }
        return made;
    }();
    auto found = all.find(operation);
    return found == all.end() ? std::vector<std::string>() : found->second;
}

PresetGallery::PresetGallery(QWidget* parent) : QFrame(parent, Qt::Popup) {
    setObjectName("presets");
    setFrameShape(QFrame::StyledPanel);
    list_ = new QListWidget(this);
    list_->setObjectName("presets.list");
    list_->setToolTip(tr("Presets of this operation: a click takes over their values"));
    list_->setViewMode(QListView::IconMode);
    list_->setMovement(QListView::Static);
    list_->setResizeMode(QListView::Adjust);
    list_->setIconSize({picture_width, picture_height});
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.9);
    list_->setFont(small);
    list_->setGridSize({picture_width + 16, picture_height + 12 + 3 * QFontMetrics(small).height()});
    list_->setWordWrap(true);
    list_->setTextElideMode(Qt::ElideRight);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setSpacing(0);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(4, 4, 4, 4);
    all->addWidget(list_);
    // The machine has other work, too.
    painters_.setMaxThreadCount(1);
    auto choose = [this](QListWidgetItem* item) {
        hide();
        Q_EMIT chosen(item->data(Qt::UserRole).toString());
    };
    connect(list_, &QListWidget::itemClicked, this, choose);
    connect(list_, &QListWidget::itemActivated, this, [this, choose](QListWidgetItem* item) {
        if (isVisible()) choose(item);
    });
}

PresetGallery::~PresetGallery() {
    if (progress_) progress_->cancel();
    painters_.clear();
    painters_.waitForDone();
}

void PresetGallery::open(const std::string& operation, QWidget* below) {
    list_->clear();
    progress_ = std::make_shared<Progress>();
    std::vector<std::string> names = presets_of(operation);
    QPixmap blank(picture_width, picture_height);
    blank.fill(between(palette().color(QPalette::Base), palette().color(QPalette::Text), 0.12));
    for (const std::string& name : names) {
        Recipe recipe = preset(name, [](const std::string&) {});
        QString title = QString::fromStdString(recipe.title.empty() ? name : recipe.title);
        auto* item = new QListWidgetItem(QIcon(blank), title, list_);
        item->setData(Qt::UserRole, QString::fromStdString(name));
        item->setSizeHint(list_->gridSize());
        item->setTextAlignment(Qt::AlignHCenter | Qt::AlignTop);
        item->setToolTip(
            QString("<p><b>%1</b></p><p>%2</p>")
                .arg(title.toHtmlEscaped(), QString::fromStdString(recipe.about).toHtmlEscaped()));
    }
    for (const std::string& name : names) {
        auto known = pictures_.find(name);
        if (known != pictures_.end())
            take(name, known->second);
        else
            draw(name);
    }
    int columns = std::min(int(names.size()), 3);
    int rows = (int(names.size()) + 2) / 3;
    int bar = rows > 4 ? list_->style()->pixelMetric(QStyle::PM_ScrollBarExtent) + 2 : 0;
    resize(columns * list_->gridSize().width() + bar + 12,
           std::min(rows, 4) * list_->gridSize().height() + 12);
    QRect screen = below->screen()->availableGeometry();
    QPoint place = below->mapToGlobal(QPoint(below->width() - width(), below->height() + 2));
    place.setX(std::clamp(place.x(), screen.left(), std::max(screen.left(), screen.right() - width())));
    place.setY(std::clamp(place.y(), screen.top(), std::max(screen.top(), screen.bottom() - height())));
    move(place);
    show();
    list_->setFocus();
}

void PresetGallery::draw(const std::string& name) {
    painters_.start([this, name, progress = progress_] {
        QImage image;
        try {
            progress->check();
            Progress own(*progress, 1);
            image = picture_of(name, own);
        } catch (const std::exception&) {
            // A preset without a picture can be chosen all the same.
            return;
        }
        QMetaObject::invokeMethod(this, [this, name, image] {
            pictures_[name] = image;
            take(name, image);
        });
    });
}

void PresetGallery::take(const std::string& name, const QImage& image) {
    for (int i = 0; i < list_->count(); i++)
        if (list_->item(i)->data(Qt::UserRole).toString().toStdString() == name && !image.isNull())
            list_->item(i)->setIcon(QIcon(QPixmap::fromImage(image)));
}

void PresetGallery::hideEvent(QHideEvent* event) {
    QFrame::hideEvent(event);
    if (progress_) progress_->cancel();
    painters_.clear();
}

}  // namespace caprock::editor
