// What the user interface asks of the engine and what it hears back, as plain values: they travel between threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>

#include <QList>
#include <QMetaType>
#include <QSize>
#include <QString>

#include "engine/model/decoder_spec.h"
#include "engine/pop/cost/measured_speed.h"
#include "engine/pop/plan.h"
#include "engine/pop/profile.h"
#include "engine/session/events.h"
#include "ui/engine/stage_spans.h"

namespace poplens::ui {

// A picture of a conversation. Its file lies in the picture folder under `hash` (SHA-256 of its bytes, hex).
struct SentPicture {
  Q_GADGET
  Q_PROPERTY(QString hash MEMBER hash)
  Q_PROPERTY(QString name MEMBER name)
  Q_PROPERTY(QSize size MEMBER size)
  Q_PROPERTY(QSize modelSize MEMBER modelSize)
  Q_PROPERTY(int tokens MEMBER tokens)
  Q_PROPERTY(int maxTokens MEMBER maxTokens)

 public:
  QString hash;
  QString name;
  QSize size;         // as shown, pixels
  QSize modelSize;    // what the vision tower sees
  int tokens = 0;     // soft tokens
  int maxTokens = 0;  // the budget it was given; 0: the model's own

  bool operator==(const SentPicture&) const = default;
};

struct Turn {
  QString role;  // "system", "user", "assistant"
  QString text;
  QList<SentPicture> pictures;

  bool operator==(const Turn&) const = default;
};

struct ModelChoice {
  QString folder;
  int threads = 0;  // 0: all cores

  bool operator==(const ModelChoice&) const = default;
};

struct PlanChoice {
  int depth = 0;  // last layers pruned in the prefill; 0: full
  Boundary boundary;

  bool operator==(const PlanChoice&) const = default;
};

struct SamplingChoice {
  double temperature = 0.0;  // 0: greedy
  int topK = 0;              // 0: off
  double topP = 1.0;
  double minP = 0.0;
  double repetitionPenalty = 1.0;
  quint64 seed = 0;
  int maxTokens = 512;

  bool operator==(const SamplingChoice&) const = default;
};

struct AskJob {
  quint64 id = 0;
  ModelChoice model;
  QList<Turn> turns;
  PlanChoice plan;
  SamplingChoice sampling;
  bool reuseCache = true;
  // When send was pressed: what passes from then on until the session begins (a model that loads, work begun ahead that
  // ends) belongs to the time to the first token.
  std::chrono::steady_clock::time_point asked = std::chrono::steady_clock::now();
  std::stop_token stop;
};

// Encode and prefill what will stand before the question, while it is being typed.
struct PrefillAheadJob {
  quint64 id = 0;
  ModelChoice model;
  QList<Turn> turns;  // the last one holds the pictures that are attached, and no text yet
  PlanChoice plan;
  std::stop_token stop;
};

struct AheadDone {
  int tokens = 0;  // prefilled
  int reach = 0;   // tokens of the prompt in the cache then, those before it included
  StageSpans spans;
  ComputedPrompt computed;
};

// The loaded model, as far as people and predictions need it.
struct ModelFacts {
  QString folder;
  QString name;
  QString family;
  QString device;
  qint64 weightsBytes = 0;
  int layers = 0;
  qint64 context = 0;
  bool readsPictures = false;
  ModelFingerprint fingerprint;
  DecoderSpec decoder;
};

// The figures that an answer keeps for good.
struct AnswerFigures {
  Q_GADGET
  Q_PROPERTY(double ttftMs MEMBER ttftMs)
  Q_PROPERTY(int promptTokens MEMBER promptTokens)
  Q_PROPERTY(int imageTokens MEMBER imageTokens)
  Q_PROPERTY(int reusedTokens MEMBER reusedTokens)
  Q_PROPERTY(int reusedPictures MEMBER reusedPictures)
  Q_PROPERTY(int answerTokens MEMBER answerTokens)
  Q_PROPERTY(double tokensPerSecond MEMBER tokensPerSecond)
  Q_PROPERTY(int prunedLayers MEMBER prunedLayers)
  Q_PROPERTY(int layers MEMBER layers)
  Q_PROPERTY(QString boundary MEMBER boundary)
  Q_PROPERTY(QString finish MEMBER finish)
  Q_PROPERTY(QString model MEMBER model)
  Q_PROPERTY(QString device MEMBER device)
  Q_PROPERTY(double aheadMs READ aheadMs)

 public:
  double ttftMs = 0.0;  // from pressing send
  double waitMs = 0.0;  // of it, before the session began
  StageTimes stages;    // from pressing send, what was left of work begun ahead among them
  StageTimes ahead;     // done while the question was being typed; no part of ttftMs
  int aheadTokens = 0;
  int promptTokens = 0;
  int imageTokens = 0;
  int reusedTokens = 0;
  int reusedPictures = 0;  // vision features from the cache
  int answerTokens = 0;
  double tokensPerSecond = 0.0;
  int prunedLayers = 0;
  int layers = 0;
  QString boundary;
  QString finish;  // "stop", "length", "cancelled"
  QString model;
  QString device;

  double aheadMs() const;
};

// All stages together.
double total_ms(const StageTimes& stages);
// With what was done ahead, as far as the answer has taken it over, and what of it was waited for from `asked` on.
AnswerFigures with_ahead(AnswerFigures figures, const AheadDone& done, std::chrono::steady_clock::time_point asked);

struct AskAnswer {
  QString text;
  AnswerFigures figures;
  QList<QString> warnings;
  ComputedPrompt computed;
};

// Why something could not be done: one sentence.
struct Failure {
  QString reason;
  bool cancelled = false;
};

}  // namespace poplens::ui

Q_DECLARE_METATYPE(poplens::Event)
