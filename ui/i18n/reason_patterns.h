// Finds the sentence with placeholders ("tensor '%1' is missing") that a message was made from, and what stood in their
// place.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <QString>

namespace poplens::ui {

class ReasonPatterns {
 public:
  using Translate = std::function<QString(const char* sentence)>;

  explicit ReasonPatterns(std::span<const char* const> sentences);

  // The message in the words of `translate`; so is what stands in the place of a placeholder, where it is such a
  // sentence itself. Names before the sentence ("picture.png: ") stay, and a message of no known sentence stays as it
  // is.
  QString translated(std::string_view message, const Translate& translate) const;

 private:
  struct Pattern {
    const char* sentence;
    std::vector<std::string> literals;  // before, between and behind the placeholders
    std::vector<int> numbers;           // of the placeholders, in order
    size_t literal_bytes = 0;
  };
  struct Match {
    const Pattern* pattern;
    std::vector<std::string_view> captures;
  };

  static Pattern parsed(const char* sentence);
  static std::optional<std::vector<std::string_view>> captured(const Pattern& pattern, std::string_view text);
  std::optional<Match> match(std::string_view text) const;
  QString translated(std::string_view message, const Translate& translate, int depth) const;
  QString filled(const Match& match, const Translate& translate, int depth) const;

  std::vector<Pattern> patterns_;  // those with the most literal text first
};

}  // namespace poplens::ui
