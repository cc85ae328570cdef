// Standard output and standard error.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/base/result.h"

namespace poplens::cli {

// The report of a subcommand under --json: one document and a line end.
Result<void> print_json(const nlohmann::ordered_json& document);
// Text, written through at once.
Result<void> print_text(std::string_view text);

// One line each on standard error.
void print_note(const std::string& note);
void print_warnings(const std::vector<std::string>& warnings);
void print_error(const std::string& message);

bool error_is_terminal();

// Line ends become spaces: what a file or a library put into a message may not break it in two.
std::string as_one_line(std::string message);

}  // namespace poplens::cli
