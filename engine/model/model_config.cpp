#include "engine/model/model_config.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/model/gemma3_config.h"
#include "engine/model/llama_config.h"
#include "engine/model/qwen3_vl_config.h"

namespace poplens {
namespace {

constexpr int64_t kMostTokens = 1 << 24;

struct Family {
  const char* model_type;
  Result<ModelConfig> (*read)(const JsonObject& config);
};
constexpr Family kFamilies[] = {{"qwen3_vl", read_qwen3_vl_config},
                                {"gemma3", read_gemma3_config},
                                {"gemma3_text", read_gemma3_config},
                                {"llama", read_llama_config}};

// "eos_token_id": one id or a list of them.
Result<std::vector<int32_t>> read_stop_tokens(const JsonObject& object) {
  std::vector<int32_t> ids;
  if (!object.has("eos_token_id")) return ids;
  if (object.value().at("eos_token_id").is_array()) {
    POPLENS_TRY(list, object.integers("eos_token_id", 0, kMostTokens, 64));
    ids.assign(list.begin(), list.end());
  } else {
    POPLENS_TRY(id, object.integer("eos_token_id", 0, kMostTokens));
    ids.push_back(static_cast<int32_t>(id));
  }
  return ids;
}

Result<GenerationDefaults> read_generation_defaults(const std::filesystem::path& folder, const JsonObject& config) {
  GenerationDefaults defaults;
  const auto path = folder / "generation_config.json";
  std::error_code unreadable;
  if (std::filesystem::exists(path, unreadable)) {
    POPLENS_TRY(file, read_json_file(path));
    POPLENS_TRY(sample, file.boolean("do_sample", false));
    POPLENS_TRY(temperature, file.number("temperature", 1.0));
    POPLENS_TRY(top_p, file.number("top_p", 1.0));
    POPLENS_TRY(min_p, file.number("min_p", 0.0));
    POPLENS_TRY(top_k, file.integer("top_k", 0, kMostTokens, 50));
    POPLENS_TRY(penalty, file.number("repetition_penalty", 1.0));
    POPLENS_TRY(stop, read_stop_tokens(file));
    defaults = {sample, temperature, top_p, min_p, static_cast<int>(top_k), penalty, stop};
  }
  if (defaults.stop_tokens.empty()) {
    POPLENS_TRY(stop, read_stop_tokens(config));
    defaults.stop_tokens = stop;
  }
  if (defaults.stop_tokens.empty() && config.has("text_config")) {
    POPLENS_TRY(text, config.object("text_config"));
    POPLENS_TRY(stop, read_stop_tokens(text));
    defaults.stop_tokens = stop;
  }
  return defaults;
}

Result<DType> read_stored_dtype(const JsonObject& config) {
  const JsonObject& holder = config;
  POPLENS_TRY(name, holder.text(holder.has("dtype") ? "dtype" : "torch_dtype", "bfloat16"));
  if (name == "bfloat16") return DType::bf16;
  if (name == "float16") return DType::f16;
  if (name == "float32") return DType::f32;
  return Error{config.where() + ": unsupported dtype '" + name + "'"};
}

}  // namespace

Result<ModelConfig> read_model_config(const std::filesystem::path& folder) {
  std::error_code status;
  if (!std::filesystem::is_directory(folder, status)) return Error{folder.string() + ": no such model folder"};
  POPLENS_TRY(config, read_json_file(folder / "config.json"));
  POPLENS_TRY(type, config.text("model_type"));
  if (config.has("quantization_config")) {
    return Error{config.where() +
                 ": this is a quantised edition ('quantization_config'), which is not supported; take "
                 "the ordinary BF16 one"};
  }
  if (type.ends_with("_moe")) {
    return Error{config.where() + ": '" + type + "' is a mixture-of-experts model, which is not supported"};
  }
  const auto reader = std::find_if(std::begin(kFamilies), std::end(kFamilies),
                                   [&](const Family& family) { return type == family.model_type; });
  if (reader == std::end(kFamilies)) {
    return Error{config.where() + ": unknown architecture '" + type +
                 "' (supported: qwen3_vl, gemma3, gemma3_text, llama)"};
  }
  POPLENS_TRY(model, reader->read(config));
  POPLENS_TRY(dtype, read_stored_dtype(config));
  model.stored_dtype = dtype;
  POPLENS_TRY(generation, read_generation_defaults(folder, config));
  model.generation = generation;
  return model;
}

}  // namespace poplens
