// Texts taken from files, made fit for an error message.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace poplens {

// 'text' in single quotes, at most about 100 characters of it, control characters replaced by '?'.
std::string in_quotes(std::string_view text);

// "[3, 4]"; at most the first 8 numbers, then "...".
std::string shape_text(std::span<const int64_t> shape);

}  // namespace poplens
