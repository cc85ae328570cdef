#include "tests/parity/golden_case.h"

#include <cmath>
#include <cstdlib>
#include <iostream>

#include <nlohmann/json.hpp>

#include "engine/base/float_formats.h"
#include "engine/base/memory_map.h"
#include "engine/weights/safetensors.h"
#include "vision/picture_encoder.h"

namespace poplens::test {
namespace {

using nlohmann::json;

template <typename T>
T take(Result<T> result) {
  if (!result.ok()) {
    std::cerr << "test data: " << result.error().message << "\n";
    std::exit(1);
  }
  return std::move(result).value();
}

Picture read_picture(const std::string& name) {
  auto map = std::make_shared<MemoryMap>(take(MemoryMap::open(test_data("data/pictures/" + name))));
  return {name, map->bytes(), map};
}

PromptRequest read_messages(const json& messages) {
  PromptRequest request;
  for (const json& entry : messages) {
    Message message{.role = entry.at("role")};
    if (entry.at("content").is_string()) {
      message.parts.push_back({MessagePart::Kind::text, entry.at("content")});
    } else {
      for (const json& part : entry.at("content")) {
        if (part.at("type") == "image") {
          message.parts.push_back({MessagePart::Kind::image, {}});
          request.pictures.push_back(read_picture(part.at("image")));
        } else {
          message.parts.push_back({MessagePart::Kind::text, part.at("text")});
        }
      }
    }
    request.messages.push_back(std::move(message));
  }
  return request;
}

GoldenGreedy read_greedy(const json& entry) {
  return {entry.at("tokens"), entry.at("gaps")};
}

}  // namespace

std::filesystem::path test_data(const std::string& relative) {
  return std::filesystem::path(POPLENS_TEST_DATA) / relative;
}

std::vector<float> GoldenCase::tensor(const std::string& tensor_name, std::vector<int64_t>* shape) const {
  const SafetensorsFile file = take(SafetensorsFile::open(tensors));
  const TensorInfo* info = file.find(tensor_name);
  if (info == nullptr) {
    std::cerr << tensors << " has no tensor " << tensor_name << "\n";
    std::exit(1);
  }
  if (shape != nullptr) *shape = info->shape;
  std::vector<float> values(info->bytes.size() / sizeof(float));
  std::memcpy(values.data(), info->bytes.data(), values.size() * sizeof(float));
  return values;
}

bool GoldenCase::has_tensor(const std::string& tensor_name) const {
  return take(SafetensorsFile::open(tensors)).find(tensor_name) != nullptr;
}

std::vector<GoldenCase> read_golden_cases(const std::filesystem::path& folder) {
  const MemoryMap map = take(MemoryMap::open(folder / "cases.json"));
  const auto* text = reinterpret_cast<const char*>(map.bytes().data());
  const json file = json::parse(text, text + map.bytes().size());
  std::vector<GoldenCase> cases;
  for (const json& entry : file.at("cases")) {
    GoldenCase golden{.checkpoint = folder.filename().string(), .name = entry.at("name")};
    golden.prompt = read_messages(entry.at("messages"));
    golden.ids = entry.at("ids").get<std::vector<int32_t>>();
    golden.logits_rows = entry.at("logits_rows").get<std::vector<int64_t>>();
    golden.greedy = read_greedy(entry.at("greedy"));
    golden.bf16_nmse = entry.at("bf16").at("nmse");
    golden.f32_noise_nmse = entry.at("f32_noise").at("nmse");
    golden.f32_noise_max = entry.at("f32_noise").at("max_over_rms");
    for (const json& pop : entry.at("pop")) {
      golden.pop.push_back({pop.at("logits"), pop.at("pruned_layers"), pop.at("boundary"), pop.at("rows"),
                            read_greedy(pop.at("greedy"))});
    }
    golden.tensors = folder / entry.at("file").get<std::string>();
    cases.push_back(std::move(golden));
  }
  return cases;
}

LoadedModel load_checkpoint(const std::filesystem::path& folder, DType activations) {
  LoadOptions options;
  options.activations = activations;
  return take(load_model(folder, options, make_image_encoder));
}

Session make_session(const LoadedModel& model, int64_t prefill_chunk_tokens) {
  return Session(model.prompts, model.decoder, model.encoder, {prefill_chunk_tokens});
}

Difference compare(std::span<const float> actual, std::span<const float> expected) {
  if (actual.size() != expected.size() || expected.empty()) return {INFINITY, INFINITY};
  double error = 0.0;
  double power = 0.0;
  double largest = 0.0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const double delta = static_cast<double>(actual[i]) - expected[i];
    if (!std::isfinite(actual[i])) return {INFINITY, INFINITY};
    error += delta * delta;
    power += static_cast<double>(expected[i]) * expected[i];
    largest = std::max(largest, std::abs(delta));
  }
  return {error / power, largest / std::sqrt(power / static_cast<double>(expected.size()))};
}

}  // namespace poplens::test
