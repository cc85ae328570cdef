#include "engine/tokenizer/bpe.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <optional>

#include "engine/base/json_reader.h"
#include "engine/tokenizer/byte_alphabet.h"
#include "engine/tokenizer/utf8.h"

namespace poplens {
namespace {

std::string byte_token_name(size_t byte) {
  char name[8];
  std::snprintf(name, sizeof name, "<0x%02X>", static_cast<unsigned>(byte));
  return name;
}

// The lowest rank on top, of equal ranks the leftmost.
bool comes_later(const BytePairEncoder::Scratch::Candidate& a, const BytePairEncoder::Scratch::Candidate& b) {
  return a.rank != b.rank ? a.rank > b.rank : a.left > b.left;
}

Error crowded(const std::string& name, const char* what) {
  return Error{name + ": " + what + " are chosen so that looking one up would take too long"};
}

}  // namespace

Result<BytePairEncoder> BytePairEncoder::build(const TokenizerFile& file, bool byte_level, const std::string& name) {
  BytePairEncoder encoder;
  encoder.byte_level_ = byte_level;
  POPLENS_CHECK(encoder.read_vocabulary(file, name));
  POPLENS_CHECK(encoder.read_options(file, name));
  POPLENS_CHECK(encoder.read_merges(file, name));
  encoder.whole_ = std::make_unique<std::atomic<Whole>[]>(encoder.tokens_.size());
  return encoder;
}

Result<void> BytePairEncoder::read_options(const TokenizerFile& file, const std::string& name) {
  const nlohmann::json& model = file.model;
  for (const char* affix : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    if (!json_string(model, affix).empty()) return Error{name + ": model." + affix + " is not supported"};
  }
  const nlohmann::json& dropout = json_member(model, "dropout");
  if (dropout.is_number() && dropout.get<double>() != 0.0) return Error{name + ": model.dropout is not supported"};

  byte_fallback_ = !byte_level_ && json_bool(model, "byte_fallback", false);
  fuse_unknown_ = json_bool(model, "fuse_unk", false);
  ignore_merges_ = json_bool(model, "ignore_merges", false);
  const nlohmann::json& unknown = json_member(model, "unk_token");
  if (unknown.is_string()) {
    unknown_ = find(unknown.get_ref<const std::string&>());
    if (unknown_ == kNoToken) return Error{name + ": model.unk_token is not in model.vocab"};
  }
  return {};
}

Result<void> BytePairEncoder::read_vocabulary(const TokenizerFile& file, const std::string& name) {
  const ByteAlphabet alphabet;
  const size_t count = file.vocabulary.size();
  index_ = TokenIndex(count);
  for (size_t id = 0; id < count; ++id) {
    const std::string_view spelling = file.vocabulary[id];
    std::optional<std::string> bytes;
    if (byte_level_) bytes = alphabet.to_bytes(spelling);
    tokens_.push_back(bytes ? std::string_view(*bytes) : spelling);
    // A byte-level token outside the alphabet can be decoded but never come from text.
    const bool from_text = !spelling.empty() && (!byte_level_ || bytes);
    const TableEntry entry = from_text ? index_.add(tokens_, static_cast<int32_t>(id)) : TableEntry::added;
    if (entry == TableEntry::there_already) {
      return Error{name + ": model.vocab has the token " + std::to_string(id) + " twice"};
    }
    if (entry == TableEntry::crowded) return crowded(name, "the tokens of model.vocab");
  }
  for (size_t byte = 0; byte < 256; ++byte) {
    const char itself = static_cast<char>(static_cast<uint8_t>(byte));
    unit_tokens_[byte] = find({&itself, 1});
    fallback_tokens_[byte] = find(byte_token_name(byte));
  }
  return {};
}

Result<void> BytePairEncoder::read_merges(const TokenizerFile& file, const std::string& name) {
  const ByteAlphabet alphabet;
  const size_t count = file.merge_parts.size() / 2;
  if (count >= std::numeric_limits<uint32_t>::max()) return Error{name + ": too many model.merges"};
  merges_ = MergeTable(count);
  const auto find_part = [&](std::string_view part) {
    if (!byte_level_) return find(part);
    const std::optional<std::string> bytes = alphabet.to_bytes(part);
    return bytes ? find(*bytes) : kNoToken;
  };
  std::string merged;
  for (size_t k = 0; k < count; ++k) {
    const int32_t left = find_part(file.merge_parts[2 * k]);
    const int32_t right = find_part(file.merge_parts[2 * k + 1]);
    if (left != kNoToken && right != kNoToken) {
      merged = token(left);
      merged += token(right);
    }
    const int32_t whole = left != kNoToken && right != kNoToken ? find(merged) : kNoToken;
    if (whole == kNoToken) {
      return Error{name + ": merge " + std::to_string(k) +
                   " of model.merges has a part or a result that is not in model.vocab"};
    }
    const uint32_t rank = file.merge_ranks.empty() ? static_cast<uint32_t>(k) : file.merge_ranks[k];
    if (merges_.set(left, right, {rank, whole}) == TableEntry::crowded) return crowded(name, "model.merges");
  }
  return {};
}

std::array<bool, 256> BytePairEncoder::bytes_before(std::string_view mark) const {
  std::array<bool, 256> before{};
  for (size_t id = 0; id < tokens_.size(); ++id) {
    const std::string_view text = tokens_[id];
    for (size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + 1)) {
      if (at > 0) before[static_cast<uint8_t>(text[at - 1])] = true;
    }
  }
  return before;
}

void BytePairEncoder::encode(std::string_view piece, std::vector<int32_t>& ids, Scratch& scratch) const {
  const int32_t whole = find(piece);
  if (whole != kNoToken) {
    const Whole known = whole_[static_cast<size_t>(whole)].load(std::memory_order_relaxed);
    if (ignore_merges_ || known == Whole::one_token) {
      ids.push_back(whole);
      return;
    }
  }
  first_symbols(piece, scratch);
  merge_symbols(scratch);
  const size_t before = ids.size();
  for (const auto& symbol : scratch.symbols) {
    if (symbol.token != kNoToken) ids.push_back(symbol.token);
  }
  if (whole != kNoToken) {
    const bool one_token = ids.size() == before + 1 && ids.back() == whole;
    whole_[static_cast<size_t>(whole)].store(one_token ? Whole::one_token : Whole::several, std::memory_order_relaxed);
  }
}

void BytePairEncoder::first_symbols(std::string_view piece, Scratch& scratch) const {
  auto& symbols = scratch.symbols;
  symbols.clear();
  const auto add = [&symbols](int32_t token) { symbols.push_back({token, -1, -1}); };
  // The reference holds an unknown symbol back until a known one comes, to fuse it with those that follow; the bytes
  // of a fallback overtake it.
  const auto fallback = [this](char byte) { return fallback_tokens_[static_cast<uint8_t>(byte)]; };
  bool unknown_waits = false;
  const auto release_unknown = [&] {
    if (unknown_waits) add(unknown_);
    unknown_waits = false;
  };
  while (!piece.empty()) {
    const std::string_view unit = piece.substr(0, byte_level_ ? 1 : decode_utf8(piece).length);
    piece.remove_prefix(unit.size());
    const int32_t token = unit.size() == 1 ? unit_tokens_[static_cast<uint8_t>(unit[0])] : find(unit);
    if (token != kNoToken) {
      release_unknown();
      add(token);
    } else if (byte_fallback_ &&
               std::all_of(unit.begin(), unit.end(), [&](char byte) { return fallback(byte) != kNoToken; })) {
      for (const char byte : unit) add(fallback(byte));
    } else if (unknown_ != kNoToken) {
      if (!fuse_unknown_) release_unknown();
      unknown_waits = true;
    }
  }
  release_unknown();
}

void BytePairEncoder::merge_symbols(Scratch& scratch) const {
  auto& symbols = scratch.symbols;
  auto& heap = scratch.heap;
  heap.clear();
  const auto count = static_cast<int32_t>(symbols.size());
  const auto symbol = [&symbols](int32_t index) -> Scratch::Symbol& { return symbols[static_cast<size_t>(index)]; };
  const auto candidate = [&](int32_t left, int32_t right) -> std::optional<Scratch::Candidate> {
    const Merge merge = merges_.find(symbol(left).token, symbol(right).token);
    if (merge.token == kNoToken) return std::nullopt;
    return Scratch::Candidate{merge.rank, left, merge.token};
  };
  const auto push = [&](int32_t left, int32_t right) {
    if (const auto found = candidate(left, right)) {
      heap.push_back(*found);
      std::push_heap(heap.begin(), heap.end(), comes_later);
    }
  };

  for (int32_t k = 0; k < count; ++k) {
    symbol(k).previous = k - 1;
    symbol(k).next = k + 1 < count ? k + 1 : -1;
    if (k + 1 < count) {
      if (const auto found = candidate(k, k + 1)) heap.push_back(*found);
    }
  }
  std::make_heap(heap.begin(), heap.end(), comes_later);

  while (!heap.empty()) {
    const Scratch::Candidate best = heap.front();
    std::pop_heap(heap.begin(), heap.end(), comes_later);
    heap.pop_back();
    Scratch::Symbol& left = symbol(best.left);
    if (left.token == kNoToken || left.next < 0) continue;
    // Either symbol may have changed since the candidate was found.
    Scratch::Symbol& right = symbol(left.next);
    if (merges_.find(left.token, right.token).token != best.merged) continue;

    left.token = best.merged;
    right.token = kNoToken;
    left.next = right.next;
    if (left.next >= 0) symbol(left.next).previous = best.left;
    if (left.previous >= 0) push(left.previous, best.left);
    if (left.next >= 0) push(best.left, left.next);
  }
}

}  // namespace poplens
