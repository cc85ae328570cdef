#include "ui/i18n/reason_patterns.h"

#include <algorithm>
#include <iterator>

namespace poplens::ui {
namespace {

// Messages hold names that anybody may have chosen: no path is longer, no message nests deeper, and none has more names
// before it.
constexpr size_t kMostBytes = 8192;
constexpr int kDeepest = 3;
constexpr int kMostNames = 256;

constexpr std::string_view kAfterName = ": ";

bool is_placeholder(std::string_view text, size_t at) {
  return text[at] == '%' && at + 1 < text.size() && text[at + 1] >= '1' && text[at + 1] <= '9';
}

QString text_of(std::string_view utf8) {
  return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

}  // namespace

ReasonPatterns::ReasonPatterns(std::span<const char* const> sentences) {
  std::transform(sentences.begin(), sentences.end(), std::back_inserter(patterns_), parsed);
  std::stable_sort(patterns_.begin(), patterns_.end(),
                   [](const Pattern& a, const Pattern& b) { return a.literal_bytes > b.literal_bytes; });
}

ReasonPatterns::Pattern ReasonPatterns::parsed(const char* sentence) {
  Pattern pattern{.sentence = sentence, .literals = {""}, .numbers = {}};
  const std::string_view text(sentence);
  for (size_t at = 0; at < text.size(); ++at) {
    if (is_placeholder(text, at)) {
      pattern.numbers.push_back(text[++at] - '0');
      pattern.literals.emplace_back();
    } else {
      pattern.literals.back() += text[at];
      ++pattern.literal_bytes;
    }
  }
  return pattern;
}

// Literals are looked for from the end: what people choose, such as a file's name, stands before what a program adds.
std::optional<std::vector<std::string_view>> ReasonPatterns::captured(const Pattern& pattern, std::string_view text) {
  const auto& literals = pattern.literals;
  if (literals.size() == 1) {
    return text == literals.front() ? std::optional(std::vector<std::string_view>()) : std::nullopt;
  }
  if (!text.starts_with(literals.front())) return std::nullopt;
  text.remove_prefix(literals.front().size());
  if (!text.ends_with(literals.back())) return std::nullopt;
  text.remove_suffix(literals.back().size());
  std::vector<std::string_view> captures(literals.size() - 1);
  for (size_t i = literals.size() - 2; i > 0; --i) {
    const size_t at = text.rfind(literals[i]);
    if (at == std::string_view::npos) return std::nullopt;
    captures[i] = text.substr(at + literals[i].size());
    text = text.substr(0, at);
  }
  captures.front() = text;
  return captures;
}

std::optional<ReasonPatterns::Match> ReasonPatterns::match(std::string_view text) const {
  for (const Pattern& pattern : patterns_) {
    if (auto captures = captured(pattern, text)) return Match{&pattern, std::move(*captures)};
  }
  return std::nullopt;
}

QString ReasonPatterns::translated(std::string_view message, const Translate& translate) const {
  return message.size() > kMostBytes ? text_of(message) : translated(message, translate, 0);
}

QString ReasonPatterns::translated(std::string_view message, const Translate& translate, int depth) const {
  if (depth == kDeepest) return text_of(message);
  size_t begin = 0;
  for (int names = 0; names < kMostNames; ++names) {
    if (const auto found = match(message.substr(begin))) {
      return text_of(message.substr(0, begin)) + filled(*found, translate, depth);
    }
    const size_t colon = message.find(kAfterName, begin);
    if (colon == std::string_view::npos) break;
    begin = colon + kAfterName.size();
  }
  return text_of(message);
}

// In one pass, so that a "%1" in a file's name stays one.
QString ReasonPatterns::filled(const Match& match, const Translate& translate, int depth) const {
  const Pattern sentence = parsed(translate(match.pattern->sentence).toUtf8().constData());
  QString text = QString::fromStdString(sentence.literals.front());
  for (size_t i = 0; i < sentence.numbers.size(); ++i) {
    const auto& numbers = match.pattern->numbers;
    const auto place =
        static_cast<size_t>(std::find(numbers.begin(), numbers.end(), sentence.numbers[i]) - numbers.begin());
    if (place < numbers.size()) text += translated(match.captures[place], translate, depth + 1);
    text += QString::fromStdString(sentence.literals[i + 1]);
  }
  return text;
}

}  // namespace poplens::ui
