// Typing, with letters that QTest::keyClicks has no key for: paths of clones have them.
#pragma once

#include <QString>
#include <QTest>

namespace caprock::editor {

inline void type_text(QWidget* widget, const QString& text) {
    for (const QChar letter : text)
        QTest::sendKeyEvent(QTest::Click, widget, Qt::Key(letter.toUpper().unicode()), QString(letter),
                            Qt::NoModifier);
}

}  // namespace caprock::editor
