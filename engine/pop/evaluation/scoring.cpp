#include "engine/pop/evaluation/scoring.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

namespace poplens {
namespace {

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

std::string folded(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

// The first number: digits with an optional sign, thousands separated by commas, and decimals.
std::optional<double> first_number(std::string_view text) {
  const auto digit = [&](size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  for (size_t i = 0; i < text.size(); ++i) {
    if (!digit(i)) continue;
    std::string number = i > 0 && text[i - 1] == '-' ? "-" : "";
    for (; digit(i) || (i < text.size() && (text[i] == '.' || text[i] == ',') && digit(i + 1)); ++i) {
      if (text[i] != ',') number += text[i];
    }
    double value = 0.0;
    const auto parsed = std::from_chars(number.data(), number.data() + number.size(), value);
    return parsed.ec == std::errc() ? std::optional(value) : std::nullopt;
  }
  return std::nullopt;
}

std::vector<std::string> items_of(std::string_view text) {
  std::vector<std::string> items;
  while (true) {
    const size_t end = text.find_first_of("\n,;|");
    if (std::string item = folded(text.substr(0, end)); item.find_first_not_of("-: ") != item.npos) {
      items.push_back(std::move(item));
    }
    if (end == text.npos) return items;
    text.remove_prefix(end + 1);
  }
}

double share_of_items(std::string_view answer, std::string_view expected) {
  std::vector<std::string> given = items_of(answer);
  const std::vector<std::string> wanted = items_of(expected);
  if (wanted.empty()) return given.empty() ? 1.0 : 0.0;
  int found = 0;
  for (const std::string& item : wanted) {
    const auto at = std::find(given.begin(), given.end(), item);
    if (at == given.end()) continue;
    given.erase(at);
    ++found;
  }
  return static_cast<double>(found) / static_cast<double>(wanted.size());
}

}  // namespace

Result<Score> parse_score(std::string_view name) {
  if (name == "exact") return Score::exact;
  if (name == "number") return Score::number;
  if (name == "contains") return Score::contains;
  if (name == "items") return Score::items;
  return Error{std::string("'").append(name).append("' is not a score: exact, number, contains, items")};
}

double score_answer(Score score, std::string_view answer, std::string_view expected) {
  switch (score) {
    case Score::exact:
      return folded(answer) == folded(expected) ? 1.0 : 0.0;
    case Score::number: {
      const auto given = first_number(answer), wanted = first_number(expected);
      return given && wanted && *given == *wanted ? 1.0 : 0.0;
    }
    case Score::contains:
      return folded(answer).find(folded(expected)) != std::string::npos ? 1.0 : 0.0;
    case Score::items:
      return share_of_items(answer, expected);
  }
  return 0.0;
}

}  // namespace poplens
