#include "dialogs/recent_documents.h"

#include "document/document.h"

#include <QFileInfo>
#include <QSettings>
#include <exception>

namespace caprock::editor {

namespace {

constexpr int most_recent = 12;
// What is opened for its picture alone holds next to nothing.
constexpr uint64_t picture_memory = 16 << 20;

QString plain_path(const QString& path) { return QFileInfo(path).absoluteFilePath(); }

}  // namespace

QStringList recent_documents() { return QSettings().value("recent/documents").toStringList(); }

void remember_recent(const QString& path) {
    QStringList recent = recent_documents();
    recent.removeAll(plain_path(path));
    recent.prepend(plain_path(path));
    QSettings().setValue("recent/documents", QStringList(recent.mid(0, most_recent)));
}

void forget_recent(const QString& path) {
    QStringList recent = recent_documents();
    recent.removeAll(plain_path(path));
    QSettings().setValue("recent/documents", recent);
}

QImage document_picture(const QString& path) {
    try {
        DocumentOptions options;
        options.read_only = true;
        options.memory = picture_memory;
        std::string png = Document::open(path.toStdString(), options)->thumbnail();
        return QImage::fromData(QByteArray::fromStdString(png), "PNG");
    } catch (const std::exception&) {
        // Why it cannot be opened is said to whoever opens it.
        return {};
    }
}

}  // namespace caprock::editor
