// The sentences in which engine, vision and store say why something cannot be done, with placeholders for what differs.
// One that begins with a placeholder is translated into one that does, too: what stands before the sentence, a file's
// name, falls into it.
#pragma once

#include <span>

namespace poplens::ui {

std::span<const char* const> config_reasons();
std::span<const char* const> file_reasons();
std::span<const char* const> picture_reasons();
std::span<const char* const> session_reasons();
std::span<const char* const> tokenizer_reasons();
std::span<const char* const> weights_reasons();

}  // namespace poplens::ui
