// A list, or, where there is nothing in it, words that say how to begin.
#pragma once

#include <QLabel>
#include <QStackedWidget>

namespace caprock::editor {

class ListOrInvitation : public QStackedWidget {
  public:
    // The label is called by that name.
    ListOrInvitation(QWidget* list, const QString& name, const QString& help) : list_(list) {
        words_ = new QLabel;
        words_->setObjectName(name);
        words_->setWordWrap(true);
        words_->setAlignment(Qt::AlignCenter);
        words_->setMargin(12);
        words_->setToolTip(help);
        addWidget(list_);
        addWidget(words_);
    }
    void set_words(const QString& words) { words_->setText(words); }
    void invite(bool inviting) { setCurrentWidget(inviting ? static_cast<QWidget*>(words_) : list_); }

  private:
    QWidget* list_;
    QLabel* words_;
};

}  // namespace caprock::editor
