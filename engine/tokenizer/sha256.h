// SHA-256 (FIPS 180-4), to tell known chat templates from others.
#pragma once

#include <string>
#include <string_view>

namespace poplens {

// 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view data);

}  // namespace poplens
