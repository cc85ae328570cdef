// One question, answered by the full model and under a plan: the comparison that is open, and its sweep.
#pragma once

#include <QImage>
#include <QObject>
#include <QUrl>
#include <QVariantList>
#include <QtQml/qqmlregistration.h>

#include "ui/base/task_thread.h"
#include "ui/models/compare_side.h"
#include "ui/models/sweep_model.h"
#include "ui/store/comparison_file.h"

namespace poplens::ui {

class Chat;
class EngineState;
class PopPanel;

// What a comparison needs of the rest of the program.
struct CompareSurroundings {
  EngineClient* engine = nullptr;
  EngineState* state = nullptr;
  Chat* chat = nullptr;
  PopPanel* pop = nullptr;
};

class Compare : public QObject {
  Q_OBJECT
  QML_ELEMENT
  QML_UNCREATABLE("made by the program")
  Q_PROPERTY(QString question READ question NOTIFY questionChanged)
  Q_PROPERTY(QVariantList pictures READ pictures NOTIFY questionChanged)
  Q_PROPERTY(bool hasQuestion READ hasQuestion NOTIFY questionChanged)
  Q_PROPERTY(int runs READ runs WRITE setRuns NOTIFY optionsChanged)
  Q_PROPERTY(bool shareFeatures READ shareFeatures WRITE setShareFeatures NOTIFY optionsChanged)
  Q_PROPERTY(int depth READ depth NOTIFY optionsChanged)
  Q_PROPERTY(bool running READ running NOTIFY runningChanged)
  Q_PROPERTY(bool done READ done NOTIFY resultChanged)
  Q_PROPERTY(QString caption READ caption NOTIFY progressed)
  Q_PROPERTY(int percent READ percent NOTIFY progressed)
  Q_PROPERTY(QString error READ error NOTIFY resultChanged)
  Q_PROPERTY(QString method READ method NOTIFY resultChanged)
  Q_PROPERTY(poplens::ui::CompareSide* full READ full CONSTANT)
  Q_PROPERTY(poplens::ui::CompareSide* pop READ pop CONSTANT)
  Q_PROPERTY(poplens::ui::SweepModel* sweep READ sweep CONSTANT)
  Q_PROPERTY(double scaleMs READ scaleMs NOTIFY scaleChanged)
  Q_PROPERTY(double ttftRatio READ ttftRatio NOTIFY resultChanged)
  Q_PROPERTY(double prefillRatio READ prefillRatio NOTIFY resultChanged)
  Q_PROPERTY(int sameTokens READ sameTokens NOTIFY resultChanged)
  Q_PROPERTY(bool same READ same NOTIFY resultChanged)
  Q_PROPERTY(double kl READ kl NOTIFY resultChanged)
  Q_PROPERTY(QString exported READ exported NOTIFY exportedChanged)

 public:
  explicit Compare(const CompareSurroundings& surroundings, QObject* parent = nullptr);
  ~Compare() override;

  QString question() const { return question_; }
  QVariantList pictures() const;
  bool hasQuestion() const { return !turns_.isEmpty(); }
  int runs() const { return options_.runs; }
  void setRuns(int runs);
  bool shareFeatures() const { return options_.share_features; }
  void setShareFeatures(bool share);
  // Layers that POP's side prunes; -1: a third of the layers of a model that is not loaded yet.
  int depth() const;
  bool running() const { return job_ != 0; }
  bool done() const { return outcome_.sides.size() == 2; }
  QString caption() const { return caption_; }
  int percent() const { return percent_; }
  QString error() const { return error_; }
  // What was done: "seed 0 · one warm-up, 3 runs each, order alternating · nothing from a cache".
  QString method() const;
  CompareSide* full() { return &full_; }
  CompareSide* pop() { return &pop_; }
  SweepModel* sweep() { return &sweep_; }
  // What the whole width of both stage bars stands for.
  double scaleMs() const;
  double ttftRatio() const { return difference().ttft_ratio; }
  double prefillRatio() const { return difference().prefill_ratio; }
  // Tokens before the answers part, all of them where they are the same.
  int sameTokens() const;
  bool same() const { return done() && !difference().divergence; }
  double kl() const { return difference().first_token_kl; }
  // Where the last export lies, or why there is none.
  QString exported() const { return exported_; }

  // The question that the answer in this row of the conversation belongs to.
  Q_INVOKABLE void openAnswer(int row);
  // The conversation's last question, or what is in the composer. Keeps what is open of the same question.
  Q_INVOKABLE void openCurrent();
  Q_INVOKABLE void start();
  Q_INVOKABLE void stop();
  // The sweep's deepest depth that agrees becomes the plan of the next question.
  Q_INVOKABLE void useDepth(int depth);
  // By the file's ending: CSV, else JSON.
  Q_INVOKABLE void exportTo(const QUrl& file);
  // `picture`: what the screen has grabbed of itself.
  Q_INVOKABLE void exportPicture(const QUrl& file, const QVariant& picture);

 signals:
  void questionChanged();
  void optionsChanged();
  void runningChanged();
  void progressed();
  void resultChanged();
  void scaleChanged();
  void exportedChanged();

 private:
  void open(const QList<Turn>& turns);
  std::optional<CompareJob> job() const;
  void take(const ComparisonStep& step, const Event& event);
  void finish(const Result<CompareOutcome>& outcome);
  void clear();
  const Difference& difference() const;
  ComparisonRecord record() const;
  template <typename Write>
  void write(const QUrl& file, Write write);

  CompareSurroundings with_;
  QList<Turn> turns_;
  QString question_;
  QList<SentPicture> pictures_;
  SamplingChoice sampling_;
  ComparisonOptions options_;
  CompareSide full_, pop_;
  SweepModel sweep_;
  quint64 job_ = 0;
  quint64 ticket_ = 0;
  ComparisonStep step_;
  QString caption_;
  int percent_ = 0;
  QString error_;
  CompareOutcome outcome_;
  QString exported_;
  TaskThread writer_;
};

}  // namespace poplens::ui
