// The engine's side of the window: a loaded model and the session on it. Lives on the engine thread and nowhere else.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "engine/base/result.h"
#include "engine/session/load_model.h"
#include "engine/session/session.h"
#include "ui/engine/jobs.h"
#include "ui/store/picture_folder.h"

namespace poplens::ui {

class TaskThread;

class EngineRoom {
 public:
  // `home` is the thread that may use the room, and outlives its jobs: on any other, every job fails.
  EngineRoom(PictureFolder pictures, const TaskThread& home) : pictures_(std::move(pictures)), home_(home) {}

  // Loads the model unless it is the one that is there; the one before is let go first, so that both need not fit.
  // `on_progress` is told the bytes that are read of all.
  Result<ModelFacts> load(const ModelChoice& choice, const std::function<void(qint64, qint64)>& on_progress = {},
                          const std::stop_token& stop = {});
  bool has(const ModelChoice& choice) const { return model_ && choice == choice_; }
  void unload();

  Result<AskAnswer> ask(const AskJob& job, const EventSink& sink);
  // Leaves the pictures' features, and the prompt as far as the last of them, in the session's caches.
  Result<AheadDone> prefill_ahead(const PrefillAheadJob& job, const EventSink& sink);

  // For comparisons: the session itself, and requests as ask() makes them. Only while a model is loaded.
  Session& session() { return *session_; }
  const ModelFacts& facts() const { return facts_; }
  Result<GenerateRequest> request_for(const AskJob& job) const;
  Result<PromptRequest> prompt_for(const QList<Turn>& turns) const;
  const LoadedModel& model() const { return *model_; }

 private:
  Result<void> check_home() const;
  // What the next predictions will take into account.
  void learn(const ComputedPrompt& prompt) const;

  PictureFolder pictures_;
  const TaskThread& home_;
  ModelChoice choice_;
  ModelFacts facts_;
  std::optional<LoadedModel> model_;
  std::unique_ptr<Session> session_;
};

// The engine's plan for a model of `layers` layers.
Result<PopPlan> plan_of(const PlanChoice& choice, int layers);
AnswerFigures figures_of(const Answer& answer, const ModelFacts& facts);

}  // namespace poplens::ui
