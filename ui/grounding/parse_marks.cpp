#include "ui/grounding/parse_marks.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <QRegularExpression>

namespace poplens::ui {
namespace {

constexpr size_t kMostDepth = 32;
constexpr qsizetype kMostNumbers = 4;
constexpr qsizetype kMostLineKept = 256;
constexpr double kWhole = 1000.0;

using Numbers = QList<double>;

double share(double thousandths) {
  return std::clamp(thousandths, 0.0, kWhole) / kWhole;
}

// A JSON list or object that is open.
struct Container {
  bool object = false;
  // of a list
  Numbers numbers;
  bool only_numbers = true;
  QList<Numbers> lists;
  // of an object
  QString key;
  bool has_key = false;
  QString label;
  QString picture;
  QList<Numbers> boxes;
  QList<Numbers> points;
};

// Reads JSON wherever it begins in running text. What cannot be JSON closes everything that is open without a result,
// and reading goes on behind it: so each character is looked at once or twice, whatever the text.
class MarkReader {
 public:
  QList<PictureMark> read(const QString& text) {
    for (const QChar c : text) {
      if (marks_.size() >= kMostMarks) break;
      take(c);
    }
    return std::move(marks_);
  }

 private:
  enum class Inside : uint8_t { structure, string, escape, code_unit, word };

  void take(QChar c) {
    if (open_.empty()) return take_prose(c);
    switch (inside_) {
      case Inside::string:
        return take_of_string(c);
      case Inside::escape:
        return take_escaped(c);
      case Inside::code_unit:
        return take_code_unit(c);
      case Inside::word:
        if (c.isLetterOrNumber() || QStringView(u"+-._").contains(c)) {
          word_ += c;
          return;
        }
        inside_ = Inside::structure;
        if (!end_word()) return give_up(c);
        [[fallthrough]];
      case Inside::structure:
        return take_structure(c);
    }
  }

  void take_prose(QChar c) {
    if (c == u'\n') {
      end_line();
    } else if (!foreign_fence_ && (c == u'{' || c == u'[')) {
      find_heading();
      line_.clear();
      open(c == u'{');
    } else {
      if (line_.size() >= kMostLineKept) line_.remove(0, kMostLineKept / 2);
      line_ += c;
    }
  }

  void end_line() {
    const QString line = line_.trimmed();
    if (line.startsWith(QLatin1String("```"))) {
      const QString language = line.mid(3).trimmed().toLower();
      foreign_fence_ = !in_fence_ && !language.isEmpty() && !language.startsWith(QLatin1String("json"));
      in_fence_ = !in_fence_;
    } else {
      find_heading();
    }
    line_.clear();
  }

  // "Picture 2:" before a list is about the objects in it.
  void find_heading() {
    static const QRegularExpression pattern(
        QStringLiteral("\\b(?:picture|image|imagen|photo)\\s*#?\\s*(\\d{1,3})\\W{0,6}$"),
        QRegularExpression::CaseInsensitiveOption);
    if (const auto match = pattern.match(line_); match.hasMatch()) heading_ = match.captured(1);
  }

  void open(bool object) {
    if (open_.size() >= kMostDepth) {
      open_.clear();
      return;
    }
    Container container;
    container.object = object;
    open_.push_back(std::move(container));
    inside_ = Inside::structure;
  }

  void give_up(QChar c) {
    open_.clear();
    inside_ = Inside::structure;
    take_prose(c);
  }

  void take_structure(QChar c) {
    Container& top = open_.back();
    if (c.isSpace() || c == u':') return;
    if (c == u',') {
      top.has_key = false;
    } else if (c == u'{' || c == u'[') {
      open(c == u'{');
    } else if (c == (top.object ? u'}' : u']')) {
      close();
    } else if (c == u'"' || c == u'\'') {
      inside_ = Inside::string;
      quote_ = c;
      word_.clear();
    } else if (c.isLetterOrNumber() || c == u'-' || c == u'+' || c == u'.') {
      inside_ = Inside::word;
      word_ = c;
    } else {
      give_up(c);
    }
  }

  void take_of_string(QChar c) {
    if (c == u'\\') {
      inside_ = Inside::escape;
    } else if (c == u'\n') {
      give_up(c);
    } else if (c == quote_) {
      inside_ = Inside::structure;
      end_string();
    } else {
      word_ += c;
    }
  }

  void take_escaped(QChar c) {
    inside_ = Inside::string;
    if (c == u'u') {
      inside_ = Inside::code_unit;
      code_.clear();
    } else {
      word_ += QStringView(u"ntrbf").contains(c) ? QChar(u' ') : c;
    }
  }

  void take_code_unit(QChar c) {
    code_ += c;
    if (code_.size() < 4) return;
    bool valid = false;
    const ushort unit = code_.toUShort(&valid, 16);
    word_ += valid ? QChar(unit) : QChar(QChar::ReplacementCharacter);
    inside_ = Inside::string;
  }

  void end_string() {
    Container& top = open_.back();
    if (!top.object) {
      top.only_numbers = false;
    } else if (!top.has_key) {
      top.key = word_;
      top.has_key = true;
    } else {
      take_value(top, word_);
    }
  }

  // A number, or one of JSON's (and Python's) three words.
  bool end_word() {
    Container& top = open_.back();
    bool is_number = false;
    const double number = word_.toDouble(&is_number);
    const bool fits = is_number && std::isfinite(number);
    static const QStringList words = {"true", "false", "null", "True", "False", "None"};
    const bool begins_as_number = word_.front().isDigit() || word_.front() == u'-';
    if (!fits && !begins_as_number && !words.contains(word_)) return false;
    if (top.object) {
      if (top.has_key) take_value(top, word_);
    } else if (fits && top.numbers.size() < kMostNumbers) {
      top.numbers.append(number);
    } else {
      top.only_numbers = false;
    }
    return true;
  }

  static void take_value(Container& top, const QString& value) {
    top.has_key = false;
    const QString key = top.key.toLower();
    if (key == QLatin1String("label") || (key == QLatin1String("text_content") && top.label.isEmpty())) {
      top.label = value.simplified();
    } else if (key.contains(QLatin1String("image")) || key.contains(QLatin1String("picture"))) {
      bool is_number = false;
      const int number = value.toInt(&is_number);
      const bool from_zero = is_number && (key.contains(QLatin1String("index")) || key.contains(QLatin1String("idx")));
      top.picture = from_zero ? QString::number(number + 1) : value;
    }
  }

  void close() {
    const Container closed = std::move(open_.back());
    open_.pop_back();
    if (closed.object) emit_marks(closed);
    if (open_.empty()) return;
    Container& top = open_.back();
    const bool plain = !closed.object && closed.only_numbers && closed.lists.isEmpty() && !closed.numbers.isEmpty();
    if (!top.object) {
      if (plain && top.lists.size() < kMostMarks) top.lists.append(closed.numbers);
      top.only_numbers = false;
      return;
    }
    if (!top.has_key) return;
    top.has_key = false;
    const QList<Numbers> found = plain ? QList<Numbers>{closed.numbers} : closed.lists;
    if (top.key == QLatin1String("bbox_2d")) top.boxes = found;
    if (top.key == QLatin1String("point_2d")) top.points = found;
  }

  void emit_marks(const Container& object) {
    PictureMark mark{.label = object.label, .picture = object.picture.isEmpty() ? heading_ : object.picture};
    for (const Numbers& box : object.boxes) {
      if (box.size() != 4 || marks_.size() >= kMostMarks) continue;
      const auto [left, right] = std::minmax(box[0], box[2]);
      const auto [top, bottom] = std::minmax(box[1], box[3]);
      if (right < 0.0 || left > kWhole || bottom < 0.0 || top > kWhole) continue;
      mark.place = QRectF(QPointF(share(left), share(top)), QPointF(share(right), share(bottom)));
      marks_.append(mark);
    }
    mark.point = true;
    for (const Numbers& point : object.points) {
      if (point.size() != 2 || marks_.size() >= kMostMarks) continue;
      mark.place = QRectF(share(point[0]), share(point[1]), 0.0, 0.0);
      marks_.append(mark);
    }
  }

  QList<PictureMark> marks_;
  std::vector<Container> open_;
  Inside inside_ = Inside::structure;
  QChar quote_;
  QString word_;
  QString code_;
  QString line_;     // of the prose
  QString heading_;  // the picture that the prose named last
  bool in_fence_ = false;
  bool foreign_fence_ = false;
};

}  // namespace

QList<PictureMark> parse_marks(const QString& answer) {
  if (!answer.contains(QLatin1String("_2d"))) return {};
  return MarkReader().read(answer);
}

}  // namespace poplens::ui
