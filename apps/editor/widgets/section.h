// A part of a panel under a heading, which can be folded away.
#pragma once

#include <QString>
#include <QWidget>

class QHBoxLayout;
class QVBoxLayout;

namespace caprock::editor {

class Section : public QWidget {
    Q_OBJECT

  public:
    Section(const QString& name, const QString& title, const QString& help, QWidget* parent = nullptr);

    void add(QWidget* widget);          // to the body
    void add_to_head(QWidget* widget);  // at its right end
    bool is_open() const { return open_; }
    void set_open(bool open);
    void set_title(const QString& title);
    QString title() const { return title_; }

  Q_SIGNALS:
    void toggled(bool open);  // by the user

  private:
    class Head;
    QString title_;
    bool open_ = true;
    Head* head_;
    QWidget* body_;
    QVBoxLayout* rows_;
};

}  // namespace caprock::editor
