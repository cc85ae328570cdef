#include "engine/tokenizer/regex_splitter.h"

#include <algorithm>
#include <optional>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "engine/tokenizer/unicode_stand_ins.h"
#include "engine/tokenizer/utf8.h"

namespace poplens {
namespace {

constexpr size_t kMaxExpressionBytes = 16 * 1024;
// The published expressions need a few steps a match; this much is a few milliseconds.
constexpr uint32_t kMatchLimit = 1'000'000;
constexpr uint32_t kHeapLimit_kibibytes = 64 * 1024;

template <typename T, void (*Free)(T*)>
struct Freed {
  void operator()(T* pointer) const { Free(pointer); }
};
template <typename T, void (*Free)(T*)>
using Handle = std::unique_ptr<T, Freed<T, Free>>;

using MatchContext = Handle<pcre2_match_context, pcre2_match_context_free>;
using MatchData = Handle<pcre2_match_data, pcre2_match_data_free>;

}  // namespace

struct RegexSplitter::Code {
  Handle<pcre2_code, pcre2_code_free> pattern;
  MatchContext limits;
};

Result<RegexSplitter> RegexSplitter::compile(const std::string& expression) {
  if (expression.size() > kMaxExpressionBytes) {
    return Error{"the expression has " + std::to_string(expression.size()) + " bytes, more than " +
                 std::to_string(kMaxExpressionBytes)};
  }
  int code = 0;
  PCRE2_SIZE offset = 0;
  auto compiled = std::make_shared<Code>();
  compiled->pattern.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(expression.data()), expression.size(),
                                        PCRE2_UTF | PCRE2_UCP, &code, &offset, nullptr));
  if (!compiled->pattern) {
    PCRE2_UCHAR message[256] = {};
    pcre2_get_error_message(code, message, sizeof message);
    return Error{"the expression is wrong at byte " + std::to_string(offset) + ": " +
                 reinterpret_cast<const char*>(message)};
  }
  // Without JIT (a platform that has none) matching is interpreted: slower, the same matches.
  pcre2_jit_compile(compiled->pattern.get(), PCRE2_JIT_COMPLETE);
  compiled->limits.reset(pcre2_match_context_create(nullptr));
  if (!compiled->limits) return Error{"no memory for the expression"};
  pcre2_set_match_limit(compiled->limits.get(), kMatchLimit);
  pcre2_set_heap_limit(compiled->limits.get(), kHeapLimit_kibibytes);

  RegexSplitter splitter;
  splitter.code_ = std::move(compiled);
  return splitter;
}

void RegexSplitter::split(std::string_view text, const PieceReader& read) const {
  const std::optional<std::string> stand_ins = with_unicode_stand_ins(text);
  const std::string_view subject = stand_ins ? std::string_view(*stand_ins) : text;
  const MatchData match(pcre2_match_data_create(1, nullptr));

  size_t done = 0;  // everything before was handed on
  for (size_t from = 0; match && from < subject.size();) {
    const auto find = [&](uint32_t options) {
      return pcre2_match(code_->pattern.get(), reinterpret_cast<PCRE2_SPTR>(subject.data()), subject.size(), from,
                         PCRE2_NO_UTF_CHECK | options, match.get(), code_->limits.get());
    };
    int found = find(0);
    // The JIT's stack is small; the interpreter works on the heap.
    if (found == PCRE2_ERROR_JIT_STACKLIMIT) found = find(PCRE2_NO_JIT);
    if (found < 0) break;
    const PCRE2_SIZE* offsets = pcre2_get_ovector_pointer(match.get());
    // \K in a lookaround could move the start before `done` or past the end.
    const size_t begin = std::max<size_t>(offsets[0], done);
    const size_t end = std::max<size_t>(offsets[1], begin);
    if (begin > done) read(text.substr(done, begin - done));
    if (end > begin) read(text.substr(begin, end - begin));
    done = end;
    from = end;
    if (end == begin && end < subject.size()) from += decode_utf8(subject.substr(end)).length;
  }
  if (done < text.size()) read(text.substr(done));
}

}  // namespace poplens
