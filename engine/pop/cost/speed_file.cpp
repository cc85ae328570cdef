#include "engine/pop/cost/speed_file.h"

#include <cstdlib>

#include <nlohmann/json.hpp>

#include "engine/base/json_file.h"
#include "engine/base/write_file.h"

namespace poplens {
namespace {

using nlohmann::json;

constexpr int64_t kMostBytes = 4 << 20;
constexpr int64_t kMostRows = int64_t{1} << 40;
constexpr size_t kMostPoints = 64;    // that one curve is measured at; a calibration has a few
constexpr double kMostMs = 1e9;       // what is said to take longer than eleven days was not measured
constexpr size_t kMostEntries = 200;  // of old models and other devices; all are forgotten beyond it

json rows_json(const std::vector<RowTime>& rows) {
  json list = json::array();
  for (const RowTime& one : rows) list.push_back({one.rows, one.ms});
  return list;
}

bool is_time(const json& value) {
  return value.is_number() && value.get<double>() >= 0.0 && value.get<double>() <= kMostMs;
}

std::optional<std::vector<RowTime>> read_rows(const json& entry, const char* key) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_array() || found->size() < 2 || found->size() > kMostPoints) {
    return std::nullopt;
  }
  std::vector<RowTime> rows;
  for (const json& pair : *found) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number_integer() || !is_time(pair[1])) return std::nullopt;
    const auto count = pair[0].get<int64_t>();
    if (count < 1 || count > kMostRows || (!rows.empty() && count <= rows.back().rows)) return std::nullopt;
    rows.push_back({count, pair[1].get<double>()});
    if (rows.back().ms <= 0.0) return std::nullopt;
  }
  return rows;
}

std::optional<double> read_time(const json& entry, const char* key) {
  const auto found = entry.find(key);
  if (found == entry.end() || !is_time(*found)) return std::nullopt;
  return found->get<double>();
}

std::optional<VisionTimes> read_vision(const json& entry) {
  const auto found = entry.find("vision");
  if (found == entry.end() || !found->is_object()) return std::nullopt;
  const auto linear = read_time(*found, "token"), square = read_time(*found, "token_squared");
  if (!linear || !square) return std::nullopt;
  return VisionTimes{*linear, *square};
}

json answers_json(const AnswerTimes& times) {
  json list = json::array();
  for (const AnswerTime& one : times) list.push_back({one.told_ms, one.took_ms});
  return list;
}

// What is missing or damaged is learnt again.
AnswerTimes read_answers(const json& entry, const char* key) {
  AnswerTimes times;
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_array()) return times;
  for (const json& pair : *found) {
    if (!pair.is_array() || pair.size() != 2 || !is_time(pair[0]) || !is_time(pair[1])) return {};
    remember(times, {pair[0].get<double>(), pair[1].get<double>()});
  }
  return times;
}

json read_all(const std::filesystem::path& file) {
  const auto read = read_json_file(file, kMostBytes);
  return read.ok() ? read->value() : json::object();
}

}  // namespace

std::optional<std::filesystem::path> default_speed_file() {
  const auto variable = [](const char* name) -> std::optional<std::filesystem::path> {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return std::filesystem::path(value);
  };
  if (const auto cache = variable("XDG_CACHE_HOME")) return *cache / "poplens" / "speed.json";
  if (const auto home = variable("HOME")) return *home / ".cache" / "poplens" / "speed.json";
  return std::nullopt;
}

std::optional<MeasuredSpeed> read_speed(const std::filesystem::path& file, const std::string& key) {
  const json all = read_all(file);
  const auto entry = all.find(key);
  if (entry == all.end() || !entry->is_object()) return std::nullopt;
  const auto layer = read_rows(*entry, "layer"), keys = read_rows(*entry, "keys");
  const auto attention = read_time(*entry, "attention_pair"), first = read_time(*entry, "first_token");
  const auto chunk = entry->find("chunk_tokens");
  if (!layer || !keys || !attention || !first || chunk == entry->end() || !chunk->is_number_integer()) {
    return std::nullopt;
  }
  const auto chunk_tokens = chunk->get<int64_t>();
  if (chunk_tokens < 1 || chunk_tokens > kMostRows) return std::nullopt;
  return MeasuredSpeed{
      .prefill = {.layer = *layer, .keys = *keys, .attention_ms_per_pair = *attention, .chunk_tokens = chunk_tokens},
      .first_token_ms = *first,
      .vision = read_vision(*entry),
      .prefill_took = read_answers(*entry, "prefill_took"),
      .vision_took = read_answers(*entry, "vision_took")};
}

Result<void> keep_speed(const std::filesystem::path& file, const std::string& key, const MeasuredSpeed& speed) {
  json all = read_all(file);
  if (all.size() >= kMostEntries && !all.contains(key)) all = json::object();
  json entry = {{"layer", rows_json(speed.prefill.layer)},
                {"keys", rows_json(speed.prefill.keys)},
                {"attention_pair", speed.prefill.attention_ms_per_pair},
                {"chunk_tokens", speed.prefill.chunk_tokens},
                {"first_token", speed.first_token_ms},
                {"prefill_took", answers_json(speed.prefill_took)},
                {"vision_took", answers_json(speed.vision_took)}};
  if (speed.vision) {
    entry["vision"] = {{"token", speed.vision->ms_per_token}, {"token_squared", speed.vision->ms_per_token_squared}};
  }
  all[key] = std::move(entry);
  std::error_code status;
  std::filesystem::create_directories(file.parent_path(), status);
  if (status) return Error{file.parent_path().string() + ": " + status.message()};
  return write_file(file, all.dump(1) + "\n");
}

}  // namespace poplens
