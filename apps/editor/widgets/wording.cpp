#include "widgets/wording.h"

#include "base/text.h"

#include <QCoreApplication>
#include <QStringList>

namespace caprock::editor {

namespace {

class Wording {
    Q_DECLARE_TR_FUNCTIONS(Wording)
};

QString escaped(const std::string& text) { return QString::fromStdString(text).toHtmlEscaped(); }

}  // namespace

QString titled(std::string_view name) {
    QString text = QString::fromUtf8(name.data(), qsizetype(name.size())).replace('-', ' ');
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    return text;
}

QString choice_title(std::string_view word) {
    if (word == "rgb") return Wording::tr("RGB");
    // How layers are blended, in the words of those who paint.
    if (word == "lerp") return Wording::tr("Mix");
    if (word == "min") return Wording::tr("Lower of both");
    if (word == "max") return Wording::tr("Higher of both");
    if (word == "smooth-min") return Wording::tr("Lower, rounded");
    if (word == "smooth-max") return Wording::tr("Higher, rounded");
    if (word == "multi-resolution") return Wording::tr("Seamless");
    return titled(word);
}

QString sentence(const std::string& text) {
    QString all = QString::fromStdString(text);
    if (all.isEmpty()) return all;
    all[0] = all[0].toUpper();
    if (!all.endsWith('.')) all += '.';
    return all;
}

QString unit_sign(const std::string& unit) {
    return unit == "degrees" || unit == "deg" ? QStringLiteral("°") : QString::fromStdString(unit);
}

QString length_text(double metres) {
    return metres >= 1000 ? Wording::tr("%1 km").arg(QString::number(metres / 1000, 'g', 4))
                          : Wording::tr("%1 m").arg(QString::number(metres, 'g', 4));
}

QString described(const Parameter& parameter, const QString& usual_value) {
    QString unit = parameter.unit().empty() ? QString() : " " + QString::fromStdString(parameter.unit());
    QString range = escaped(parameter.range_text());
    if (parameter.hard_range()) range += unit;
    QString usual = usual_value.isEmpty() ? Wording::tr("none") : usual_value.toHtmlEscaped();
    if (!usual_value.isEmpty() && parameter.numeric()) usual += unit;
    return QString("<p style='white-space:pre-wrap'><b>%1</b><br>%2</p><p>%3<br>%4</p>")
        .arg(titled(parameter.name()).toHtmlEscaped(), sentence(parameter.help()).toHtmlEscaped(),
             Wording::tr("Values: %1").arg(range), Wording::tr("Usually: %1").arg(usual));
}

QString described(const QString& title, const Operation& operation) {
    const Schema& schema = operation.schema();
    const FieldUse use = operation.fields();
    QString text = QString("<p><b>%1</b><br>%2</p>")
                       .arg(title.toHtmlEscaped(), sentence(schema.summary()).toHtmlEscaped());
    QStringList facts;
    if (!use.inputs.empty()) facts << Wording::tr("Reads: %1").arg(escaped(listed(use.inputs)));
    if (!use.outputs.empty()) facts << Wording::tr("Makes: %1").arg(escaped(listed(use.outputs)));
    if (!schema.source().empty()) facts << Wording::tr("Source: %1").arg(escaped(schema.source()));
    if (!facts.isEmpty()) text += "<p>" + facts.join("<br>") + "</p>";
    return text;
}

}  // namespace caprock::editor
