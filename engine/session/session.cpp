#include <algorithm>
#include <string_view>

#include "engine/session/memory_need.h"
#include "engine/session/session_run.h"

namespace poplens {
namespace {

// Tells apart what the vision tower gets to see: the file's bytes, the part of the picture, the size it is brought to.
uint64_t content_key(const Picture& picture, const PictureGeometry& geometry) {
  const std::string_view bytes(reinterpret_cast<const char*>(picture.bytes.data()), picture.bytes.size());
  const PictureCrop crop = picture.crop.value_or(PictureCrop{});
  uint64_t key = std::hash<std::string_view>{}(bytes);
  for (const int value : {geometry.model_width, geometry.model_height, crop.x, crop.y, crop.width, crop.height}) {
    key = (key ^ static_cast<uint64_t>(value)) * 0x9e3779b97f4a7c15ULL;
    key ^= key >> 29;
  }
  return key;
}

// One token behind the last picture stays: it is the boundary, so that the picture itself is pruned as the plan says,
// and nothing is computed that a question will change.
void cut_behind_pictures(Prompt& prompt) {
  const auto tokens = static_cast<size_t>(std::min(prompt.pictures.back().tokens.end + 1, prompt.tokens()));
  prompt.ids.resize(tokens);
  prompt.positions.resize(tokens);
}

}  // namespace

Session::Session(std::shared_ptr<const PromptBuilder> prompts, std::shared_ptr<Decoder> decoder,
                 std::shared_ptr<ImageEncoder> encoder, SessionOptions options)
    : prompts_(std::move(prompts)),
      decoder_(std::move(decoder)),
      encoder_(std::move(encoder)),
      options_(options),
      features_(options.feature_cache_bytes) {}

void Session::forget() {
  cached_.truncate(0);
  features_.clear();
}

Result<Session::Run> Session::prepare(const PromptRequest& request, Part part, const PopPlan& plan, int64_t max_tokens,
                                      const EventSink& sink, std::stop_token stop, bool reuse) {
  Run run;
  run.sink = sink;
  run.stop = std::move(stop);
  run.plan = plan;
  POPLENS_TRY(prompt, prompts_->build(request, encoder_.get()));
  if (part == Part::to_last_picture) cut_behind_pictures(prompt);
  run.prompt = std::move(prompt);
  run.picture_spans = run.prompt.picture_spans();
  for (const PromptPicture& picture : run.prompt.pictures) {
    run.picture_keys.push_back(content_key(picture.picture, picture.geometry));
  }
  run.boundary_begin = boundary_begin(plan.boundary, run.prompt.tokens(), run.picture_spans);
  run.outputs_from = run.prompt.tokens() - 1;
  if (reuse) run.reused = cached_.reusable(run.prompt, run.picture_keys, plan, run.boundary_begin);
  const int64_t room = prompts_->config().decoder.context - run.prompt.tokens();
  run.capacity = run.prompt.tokens() + std::clamp<int64_t>(max_tokens, 0, room);
  run.keep_features = reuse;
  run.features.resize(run.prompt.pictures.size());
  if (reuse) take_known_features(run);
  POPLENS_CHECK(find_memory_for(run));
  cached_.truncate(run.reused);
  POPLENS_CHECK(cache_.reserve(*decoder_, run.capacity, run.reused));
  run.computed = {.tokens = run.prompt.tokens(), .first = run.reused, .boundary_begin = run.boundary_begin};
  for (size_t i = 0; i < run.prompt.pictures.size(); ++i) {
    if (run.encodes(i)) run.computed.picture_tokens.push_back(run.prompt.pictures[i].geometry.soft_tokens());
  }
  if (run.reused > 0 || run.reused_pictures > 0) run.emit(FromCache{run.reused, run.reused_pictures});
  return run;
}

void Session::take_known_features(Run& run) {
  for (size_t i = 0; i < run.prompt.pictures.size(); ++i) {
    if (run.prompt.pictures[i].tokens.begin < run.reused) continue;
    run.features[i] = features_.find(run.picture_keys[i]);
    if (run.features[i]) ++run.reused_pictures;
  }
}

// Memory that is short is taken from the features of other pictures first.
Result<void> Session::find_memory_for(const Run& run) {
  if (features_.bytes() > 0 && !check_memory_for(run).ok()) features_.clear();
  return check_memory_for(run);
}

Result<void> Session::check_memory_for(const Run& run) const {
  int64_t bytes =
      decoder_->workspace_bytes(largest_chunk(decoder_->spec(), run.prompt, run.reused, options_.prefill_chunk_tokens));
  if (run.capacity > cache_.capacity()) {
    bytes += KvCache::bytes(decoder_->spec(), decoder_->activations(), run.capacity);
  }
  int64_t largest_picture = 0;
  for (size_t i = 0; i < run.prompt.pictures.size(); ++i) {
    if (!run.encodes(i)) continue;
    const PictureGeometry& geometry = run.prompt.pictures[i].geometry;
    bytes += (1 + decoder_->spec().deepstack_layers) * geometry.soft_tokens() * decoder_->spec().hidden *
             size_of(DType::f32);
    largest_picture = std::max(largest_picture, encoder_->workspace_bytes(geometry));
  }
  return check_memory("a prompt of " + std::to_string(run.prompt.tokens()) + " tokens", bytes + largest_picture,
                      available_memory_bytes());
}

Result<void> Session::encode_pictures(Run& run) {
  const int count = static_cast<int>(run.prompt.pictures.size());
  for (size_t i = 0; i < run.prompt.pictures.size(); ++i) {
    if (!run.encodes(i)) continue;
    const EncodeProgress progress{.started =
                                      [&](Stage stage) {
                                        run.emit(StageStarted{stage, static_cast<int>(i), count});
                                      },
                                  .finished =
                                      [&](Stage stage, double ms) {
                                        double& total = stage == Stage::image_decode ? run.stages.image_decode_ms
                                                        : stage == Stage::preprocess ? run.stages.preprocess_ms
                                                                                     : run.stages.vision_ms;
                                        total += ms;
                                        run.emit(StageFinished{stage, total});
                                      },
                                  .progress =
                                      [&](Stage stage, int64_t done, int64_t total) {
                                        run.emit(StageProgress{stage, done, total});
                                      }};
    POPLENS_TRY(features, encoder_->encode(run.prompt.pictures[i].picture, progress, run.stop));
    if (run.keep_features) features_.keep(run.picture_keys[i], features);
    run.features[i] = std::move(features);
  }
  return {};
}

Result<void> Session::prefill(Run& run) {
  run.emit(StageStarted{Stage::prefill});
  const PrefillJob job{.prompt = run.prompt,
                       .plan = run.plan,
                       .first = run.reused,
                       .outputs_from = run.outputs_from,
                       .chunk_tokens = options_.prefill_chunk_tokens,
                       .features = run.features,
                       .on_layer =
                           [&](int64_t done, int64_t total) {
                             run.emit(StageProgress{Stage::prefill, done, total});
                           },
                       .on_boundary = [&] { run.emit(StageStarted{Stage::boundary}); },
                       .after_chunk =
                           [&](int64_t begin, int64_t end) {
                             cached_.append_prompt(run.prompt, run.picture_keys, end, run.plan, run.boundary_begin);
                             if (run.after_chunk) run.after_chunk(begin, end);
                           },
                       .stop = run.stop};
  POPLENS_TRY(outcome, run_prefill(*decoder_, cache_, job));
  run.stages.prefill_ms = outcome.prefill_ms;
  run.stages.boundary_ms = outcome.boundary_ms;
  run.last_row = outcome.last_row;
  run.trace = std::move(outcome.trace);
  run.emit(StageFinished{Stage::prefill, run.stages.prefill_ms});
  if (!run.plan.empty()) run.emit(StageFinished{Stage::boundary, run.stages.boundary_ms});
  return {};
}

Result<Answer> Session::generate(const GenerateRequest& request, const EventSink& sink, std::stop_token stop) {
  POPLENS_TRY(run, prepare(request.prompt, Part::whole, request.plan, request.max_tokens, sink, std::move(stop),
                           request.reuse_cache));
  POPLENS_CHECK(encode_pictures(run));
  POPLENS_CHECK(prefill(run));
  Answer answer;
  POPLENS_CHECK(decode(run, request, answer));
  answer.prompt_tokens = run.prompt.tokens();
  answer.image_tokens = run.prompt.image_tokens();
  answer.reused_tokens = run.reused;
  answer.reused_pictures = run.reused_pictures;
  answer.boundary_tokens = run.plan.empty() ? run.prompt.tokens() : run.prompt.tokens() - run.boundary_begin;
  answer.plan = run.plan;
  answer.computed = std::move(run.computed);
  answer.stages = run.stages;
  answer.trace = std::move(run.trace);
  answer.warnings = std::move(run.prompt.warnings);
  return answer;
}

Result<PrefilledAhead> Session::prefill_ahead(const PromptRequest& request, const PopPlan& plan, const EventSink& sink,
                                              std::stop_token stop) {
  if (request.pictures.empty()) return PrefilledAhead{};
  PopPlan ahead = plan;
  ahead.boundary = {.kind = Boundary::Kind::last};
  POPLENS_TRY(run, prepare(request, Part::to_last_picture, ahead, 0, sink, std::move(stop), /*reuse=*/true));
  POPLENS_CHECK(encode_pictures(run));
  POPLENS_CHECK(prefill(run));
  return PrefilledAhead{.tokens = run.prompt.tokens(),
                        .reused_tokens = run.reused,
                        .plan = std::move(run.plan),
                        .computed = std::move(run.computed),
                        .stages = run.stages};
}

Result<PromptLogits> Session::logits(const PromptRequest& request, const PopPlan& plan, std::stop_token stop) {
  POPLENS_TRY(run, prepare(request, Part::whole, plan, 0, {}, std::move(stop), /*reuse=*/false));
  run.outputs_from = plan.empty() ? 0 : run.boundary_begin;
  const int64_t vocab = decoder_->spec().vocab;
  PromptLogits result;
  for (int64_t row = run.outputs_from; row < run.prompt.tokens(); ++row) result.rows.push_back(row);
  const int64_t bytes = static_cast<int64_t>(result.rows.size()) * vocab * size_of(DType::f32);
  POPLENS_CHECK(check_memory("the logits of " + std::to_string(result.rows.size()) + " positions", bytes,
                             available_memory_bytes()));
  result.values.resize(result.rows.size() * static_cast<size_t>(vocab));
  run.after_chunk = [&](int64_t begin, int64_t end) {
    const int64_t from = std::max(begin, run.outputs_from);
    if (from >= end) return;
    const auto values =
        std::span(result.values)
            .subspan(static_cast<size_t>((from - run.outputs_from) * vocab), static_cast<size_t>((end - from) * vocab));
    decoder_->logits(from - begin, end - from, values);
  };
  POPLENS_CHECK(encode_pictures(run));
  POPLENS_CHECK(prefill(run));
  forget();
  result.prompt_ids = std::move(run.prompt.ids);
  result.trace = std::move(run.trace);
  result.warnings = std::move(run.prompt.warnings);
  return result;
}

}  // namespace poplens
