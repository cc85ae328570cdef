#include "app/cli/console.h"

#include <cstdio>

#include <nlohmann/json.hpp>
#include <unistd.h>

namespace poplens::cli {

Result<void> print_json(const nlohmann::ordered_json& document) {
  return print_text(document.dump(2, ' ', /*ensure_ascii=*/false, nlohmann::json::error_handler_t::replace) + "\n");
}

Result<void> print_text(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) return Error{"standard output cannot be written"};
  return {};
}

void print_note(const std::string& note) {
  std::fprintf(stderr, "%s\n", as_one_line(note).c_str());
}

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) std::fprintf(stderr, "warning: %s\n", as_one_line(warning).c_str());
}

void print_error(const std::string& message) {
  std::fprintf(stderr, "poplens-cli: %s\n", as_one_line(message).c_str());
}

bool error_is_terminal() {
  return ::isatty(STDERR_FILENO) == 1;
}

std::string as_one_line(std::string message) {
  for (char& c : message) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return message;
}

}  // namespace poplens::cli
