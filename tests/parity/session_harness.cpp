#include "tests/parity/session_harness.h"

#include <cmath>

namespace poplens::test {

EventSink EventRecorder::sink() {
  return [this](const Event& event) {
    events.push_back(event);
    if (stop_when && stop_when(event)) stop.request_stop();
  };
}

std::vector<std::string> EventRecorder::stages() const {
  std::vector<std::string> list;
  for (const Event& event : events) {
    if (const auto* started = std::get_if<StageStarted>(&event.what)) {
      list.push_back(name_of(started->stage) + std::string("("));
    } else if (const auto* finished = std::get_if<StageFinished>(&event.what)) {
      list.push_back(name_of(finished->stage) + std::string(")"));
    }
  }
  return list;
}

std::vector<StageProgress> EventRecorder::progress(Stage stage) const {
  std::vector<StageProgress> list;
  for (const Event& event : events) {
    const auto* progress = std::get_if<StageProgress>(&event.what);
    if (progress != nullptr && progress->stage == stage) list.push_back(*progress);
  }
  return list;
}

std::vector<std::string> EventRecorder::pieces() const {
  std::vector<std::string> list;
  for (const Event& event : events) {
    if (const auto* token = std::get_if<TokenEvent>(&event.what)) list.push_back(token->text);
  }
  return list;
}

std::string EventRecorder::text() const {
  std::string joined;
  for (const std::string& piece : pieces()) joined += piece;
  return joined;
}

Picture drawn_picture(int width, int height, uint32_t seed) {
  constexpr int kHeaderBytes = 54;
  const int row_bytes = (3 * width + 3) / 4 * 4;
  auto bytes = std::make_shared<std::vector<std::byte>>(static_cast<size_t>(kHeaderBytes + row_bytes * height));
  const auto put = [&](size_t at, int value, int count) {
    for (int i = 0; i < count; ++i) {
      (*bytes)[at + static_cast<size_t>(i)] = static_cast<std::byte>((value >> (8 * i)) & 0xff);
    }
  };
  put(0, 'B' | 'M' << 8, 2);
  put(2, static_cast<int>(bytes->size()), 4);
  put(10, kHeaderBytes, 4);
  put(14, 40, 4);
  put(18, width, 4);
  put(22, height, 4);
  put(26, 1, 2);
  put(28, 24, 2);
  put(34, row_bytes * height, 4);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int channel = 0; channel < 3; ++channel) {
        const double wave = std::sin(0.03 * (1 + channel) * x + 0.05 * y + seed * (2.0 + channel));
        put(static_cast<size_t>(int64_t{kHeaderBytes} + int64_t{row_bytes} * y + 3 * x + channel),
            static_cast<int>(127 + 120 * wave), 1);
      }
    }
  }
  return {"drawn.bmp", *bytes, bytes};
}

PromptRequest text_question(const std::string& text) {
  PromptRequest request;
  request.messages.push_back({.role = "user", .parts = {{MessagePart::Kind::text, text}}});
  return request;
}

PromptRequest picture_question(const Picture& picture, const std::string& text) {
  PromptRequest request = text_question(text);
  auto& parts = request.messages.front().parts;
  parts.insert(parts.begin(), MessagePart{MessagePart::Kind::image, {}});
  request.pictures.push_back(picture);
  return request;
}

PromptRequest next_question(PromptRequest request, const std::string& answer, const std::string& text) {
  request.messages.push_back({.role = "assistant", .parts = {{MessagePart::Kind::text, answer}}});
  request.messages.push_back({.role = "user", .parts = {{MessagePart::Kind::text, text}}});
  return request;
}

LoadedModel with_config(LoadedModel model, const std::function<void(ModelConfig&)>& change) {
  ModelConfig config = model.prompts->config();
  change(config);
  model.prompts = std::make_shared<const PromptBuilder>(std::move(config), model.prompts->tokenizer(),
                                                        model.prompts->chat_template());
  return model;
}

LoadedModel open_ended_checkpoint(const std::string& name) {
  return with_config(load_checkpoint(test_data("data/qwen3_vl/" + name), DType::f32),
                     [](ModelConfig& config) { config.generation.stop_tokens.clear(); });
}

PopPlan suffix_plan(const LoadedModel& model, int depth, const Boundary& boundary) {
  return *PopPlan::suffix(model.decoder->spec().layer_count(), depth, boundary);
}

}  // namespace poplens::test
