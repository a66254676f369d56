// The documents that were open last, newest first, and their pictures.
#pragma once

#include <QImage>
#include <QString>
#include <QStringList>

namespace caprock::editor {

void remember_recent(const QString& path);
void forget_recent(const QString& path);
QStringList recent_documents();  // also those that are not there any more

// The picture that the document's file holds; empty where there is none or the file cannot be read. Takes a moment: not for
// the window's thread.
QImage document_picture(const QString& path);

}  // namespace caprock::editor
