#include "ui/engine/engine_room.h"

#include <filesystem>

#include "engine/base/clock.h"
#include "engine/base/memory_map.h"
#include "engine/session/fingerprint.h"
#include "ui/base/task_thread.h"
#include "vision/picture_encoder.h"

namespace poplens::ui {
namespace {

ModelFacts facts_of(const std::filesystem::path& folder, const LoadedModel& model) {
  const DecoderSpec& spec = model.decoder->spec();
  return {.folder = QString::fromStdString(folder.string()),
          .name = QString::fromStdString(folder.filename().string()),
          .family = QString::fromStdString(model.prompts->config().family),
          .device = QString::fromStdString(model.backend->description()),
          .weightsBytes = model.weights_bytes,
          .layers = spec.layer_count(),
          .context = spec.context,
          .readsPictures = model.encoder != nullptr,
          .fingerprint = fingerprint_of(model),
          .decoder = spec};
}

}  // namespace

Result<PopPlan> plan_of(const PlanChoice& choice, int layers) {
  return PopPlan::suffix(layers, choice.depth, choice.boundary);
}

AnswerFigures figures_of(const Answer& answer, const ModelFacts& facts) {
  return {.ttftMs = answer.ttft_ms,
          .stages = answer.stages,
          .promptTokens = static_cast<int>(answer.prompt_tokens),
          .imageTokens = static_cast<int>(answer.image_tokens),
          .reusedTokens = static_cast<int>(answer.reused_tokens),
          .reusedPictures = static_cast<int>(answer.reused_pictures),
          .answerTokens = static_cast<int>(answer.tokens.size()),
          .tokensPerSecond = answer.decode_tokens_per_s,
          .prunedLayers = static_cast<int>(answer.plan.layers.size()),
          .layers = facts.layers,
          .boundary = QString::fromStdString(to_string(answer.plan.boundary)),
          .finish = QString::fromLatin1(name_of(answer.finish_reason)),
          .model = facts.name,
          .device = facts.device};
}

Result<void> EngineRoom::check_home() const {
  if (home_.is_current()) return {};
  return Error{"the engine was called from a thread that is not its own"};
}

void EngineRoom::unload() {
  session_.reset();
  model_.reset();
  facts_ = {};
}

Result<ModelFacts> EngineRoom::load(const ModelChoice& choice, const std::function<void(qint64, qint64)>& on_progress,
                                    const std::stop_token& stop) {
  POPLENS_CHECK(check_home());
  if (has(choice)) return facts_;
  unload();
  const std::filesystem::path folder(choice.folder.toStdString());
  POPLENS_TRY(model, load_model(folder, {.threads = choice.threads, .on_progress = on_progress, .stop = stop},
                                make_image_encoder));
  facts_ = facts_of(folder, model);
  session_ = std::make_unique<Session>(model.prompts, model.decoder, model.encoder);
  model_ = std::move(model);
  choice_ = choice;
  return facts_;
}

Result<PromptRequest> EngineRoom::prompt_for(const QList<Turn>& turns) const {
  POPLENS_CHECK(check_home());
  PromptRequest prompt;
  for (const Turn& turn : turns) {
    Message message{turn.role.toStdString(), {}};
    for (const SentPicture& sent : turn.pictures) {
      auto map = MemoryMap::open(pictures_.path(sent.hash).toStdString());
      if (!map.ok()) return Error{sent.name.toStdString() + ": " + map.error().message};
      Picture picture{
          .name = sent.name.toStdString(), .bytes = map->bytes(), .owner = std::make_shared<MemoryMap>(*map)};
      if (sent.maxTokens > 0) picture.max_tokens = sent.maxTokens;
      prompt.pictures.push_back(std::move(picture));
      message.parts.push_back({MessagePart::Kind::image, {}});
    }
    if (!turn.text.isEmpty()) message.parts.push_back({MessagePart::Kind::text, turn.text.toStdString()});
    prompt.messages.push_back(std::move(message));
  }
  return prompt;
}

Result<GenerateRequest> EngineRoom::request_for(const AskJob& job) const {
  POPLENS_TRY(prompt, prompt_for(job.turns));
  POPLENS_TRY(plan, plan_of(job.plan, facts_.layers));
  const SamplingChoice& sampling = job.sampling;
  return GenerateRequest{.prompt = std::move(prompt),
                         .plan = std::move(plan),
                         .sampling = {.temperature = sampling.temperature,
                                      .top_k = sampling.topK,
                                      .top_p = sampling.topP,
                                      .min_p = sampling.minP,
                                      .repetition_penalty = sampling.repetitionPenalty,
                                      .seed = sampling.seed},
                         .max_tokens = sampling.maxTokens,
                         .reuse_cache = job.reuseCache};
}

void EngineRoom::learn(const ComputedPrompt& prompt) const {
  keep_learnt(speed_key(*model_, facts_.fingerprint, SessionOptions{}.prefill_chunk_tokens), facts_.decoder, prompt);
}

Result<AskAnswer> EngineRoom::ask(const AskJob& job, const EventSink& sink) {
  if (job.stop.stop_requested()) return Error{"stopped", /*cancelled=*/true};
  POPLENS_CHECK(load(job.model));
  POPLENS_TRY(request, request_for(job));
  const double wait_ms = ms_since(job.asked);
  POPLENS_TRY(answer, session_->generate(request, sink, job.stop));
  AskAnswer result{.text = QString::fromStdString(answer.text), .figures = figures_of(answer, facts_)};
  result.figures.waitMs = wait_ms;
  result.figures.ttftMs += wait_ms;
  for (const std::string& warning : answer.warnings) result.warnings.append(QString::fromStdString(warning));
  result.computed = {std::move(answer.computed), std::move(answer.plan), answer.stages};
  learn(result.computed);
  return result;
}

Result<AheadDone> EngineRoom::prefill_ahead(const PrefillAheadJob& job, const EventSink& sink) {
  if (job.stop.stop_requested()) return Error{"stopped", /*cancelled=*/true};
  POPLENS_CHECK(load(job.model));
  POPLENS_TRY(prompt, prompt_for(job.turns));
  POPLENS_TRY(plan, plan_of(job.plan, facts_.layers));
  StageSpans spans(std::chrono::steady_clock::now());
  const auto note = [&](const Event& event) {
    spans.take(event);
    sink(event);
  };
  POPLENS_TRY(done, session_->prefill_ahead(prompt, plan, note, job.stop));
  AheadDone result{.tokens = static_cast<int>(done.tokens - done.reused_tokens),
                   .reach = static_cast<int>(done.tokens),
                   .spans = std::move(spans),
                   .computed = {std::move(done.computed), std::move(done.plan), done.stages}};
  learn(result.computed);
  return result;
}

}  // namespace poplens::ui
