// A page on the screen, whose parts are found by their names, and a hand that types into them.
#pragma once

#include "editor/typing.h"

#include <QLineEdit>
#include <QTest>
#include <QWidget>
#include <gtest/gtest.h>

namespace caprock::editor {

class Bench {
  public:
    template <typename Widget>
    Widget* find(const char* name) {
        auto* found = page_->findChild<Widget*>(name);
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
    void type(const char* name, const QString& text) { type(find<QLineEdit>(name), text); }
    static void type(QLineEdit* edit, const QString& text) {
        edit->setFocus();
        edit->selectAll();
        type_text(edit, text);
        QTest::keyClick(edit, Qt::Key_Return);
    }

  protected:
    // Whoever has a page lays it on the bench when it is made.
    void lay(QWidget& page, int width, int height) {
        page_ = &page;
        page.resize(width, height);
        page.show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(&page));
        page.activateWindow();
    }

  private:
    QWidget* page_ = nullptr;
};

}  // namespace caprock::editor
