#include "ui/models/marked_picture.h"

#include <algorithm>
#include <array>

#include <QCoreApplication>
#include <QHash>
#include <QLocale>
#include <QRegularExpression>
#include <QStringList>

#include "ui/grounding/parse_marks.h"

namespace poplens::ui {
namespace {

constexpr qsizetype kMostNamed = 12;

struct Texts {
  Q_DECLARE_TR_FUNCTIONS(MarkedPicture)
};

qsizetype index_of_picture(const QString& named, const QList<SentPicture>& pictures) {
  for (qsizetype i = 0; i < pictures.size(); ++i) {
    if (!named.isEmpty() && pictures[i].name.compare(named, Qt::CaseInsensitive) == 0) return i;
  }
  static const QRegularExpression number(QStringLiteral("^\\s*(?:picture|image|imagen|photo)?[\\s#_-]*(\\d{1,3})\\s*$"),
                                         QRegularExpression::CaseInsensitiveOption);
  const int counted = number.match(named).captured(1).toInt();
  return counted >= 1 && counted <= pictures.size() ? counted - 1 : pictures.size() - 1;
}

QString counted(qsizetype number, const QString& one, const QString& many) {
  return number == 1 ? one : many.arg(QLocale().toString(number));
}

}  // namespace

QString MarkedPicture::count() const {
  const qsizetype points =
      std::count_if(marks.begin(), marks.end(), [](const PictureMark& mark) { return mark.point; });
  const qsizetype boxes = marks.size() - points;
  QString boxes_text = counted(boxes, Texts::tr("1 box"), Texts::tr("%1 boxes"));
  QString points_text = counted(points, Texts::tr("1 point"), Texts::tr("%1 points"));
  if (points == 0) return boxes_text;
  return boxes == 0 ? points_text : Texts::tr("%1 and %2").arg(boxes_text, points_text);
}

QString MarkedPicture::description() const {
  QStringList labels;
  for (const PictureMark& mark : marks.first(std::min(kMostNamed, marks.size()))) {
    labels.append(mark.label.isEmpty() ? Texts::tr("without a label") : mark.label);
  }
  QString named = labels.join(QStringLiteral(", "));
  if (marks.size() > kMostNamed) {
    named = Texts::tr("%1 and %2 more").arg(named, QLocale().toString(marks.size() - kMostNamed));
  }
  return Texts::tr("%1: %2").arg(count(), named);
}

QList<MarkedPicture> marked_pictures(const QString& answer, const QList<SentPicture>& pictures) {
  if (pictures.isEmpty()) return {};
  QList<MarkedPicture> marked;
  for (const SentPicture& picture : pictures) marked.append({picture, {}});
  for (const PictureMark& mark : parse_marks(answer)) {
    marked[index_of_picture(mark.picture, pictures)].marks.append(mark);
  }
  marked.removeIf([](const MarkedPicture& picture) { return picture.marks.isEmpty(); });
  return marked;
}

QList<QColor> mark_colors(const QList<PictureMark>& marks) {
  static constexpr std::array<QRgb, 8> palette = {0xff2b5fd9, 0xffb4307a, 0xff0b7566, 0xffb35608,
                                                  0xff7a52c7, 0xff1e7f3c, 0xffb3261e, 0xff6b5e00};
  QHash<QString, size_t> numbers;
  QList<QColor> colors;
  for (const PictureMark& mark : marks) {
    const auto found = numbers.constFind(mark.label);
    const size_t number = found != numbers.cend() ? *found : static_cast<size_t>(numbers.size());
    if (found == numbers.cend()) numbers.insert(mark.label, number);
    colors.append(QColor::fromRgb(palette[number % palette.size()]));
  }
  return colors;
}

}  // namespace poplens::ui
