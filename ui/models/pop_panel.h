// The plan for the next question: how many layers its prefill skips, and what that is likely to bring.
#pragma once

#include <cstdint>
#include <vector>

#include <QObject>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

#include "ui/engine/jobs.h"
#include "ui/models/importance_model.h"
#include "ui/models/machine_speed.h"

namespace poplens::ui {

class EngineClient;
class EngineState;
class Settings;

class PopPanel : public QObject {
  Q_OBJECT
  QML_ELEMENT
  QML_UNCREATABLE("made by the program")
  Q_PROPERTY(bool on READ on WRITE setOn NOTIFY planChanged)
  Q_PROPERTY(int depth READ depth WRITE setDepth NOTIFY planChanged)
  Q_PROPERTY(int layers READ layers NOTIFY layersChanged)
  Q_PROPERTY(poplens::ui::PopPanel::Boundary boundary READ boundary WRITE setBoundary NOTIFY planChanged)
  Q_PROPERTY(int promptTokens READ promptTokens NOTIFY predictionChanged)
  Q_PROPERTY(double predictedMs READ predictedMs NOTIFY predictionChanged)
  Q_PROPERTY(double predictedFullMs READ predictedFullMs NOTIFY predictionChanged)
  Q_PROPERTY(double speedUp READ speedUp NOTIFY predictionChanged)
  Q_PROPERTY(poplens::ui::ImportanceModel* importances READ importances CONSTANT)
  Q_PROPERTY(bool measured READ measured NOTIFY predictionChanged)
  Q_PROPERTY(double expectedRise READ expectedRise NOTIFY predictionChanged)
  Q_PROPERTY(bool riseMeasured READ riseMeasured NOTIFY predictionChanged)
  Q_PROPERTY(bool measuring READ measuring NOTIFY measuringChanged)
  Q_PROPERTY(int measuredPercent READ measuredPercent NOTIFY measuringChanged)
  Q_PROPERTY(QString measureError READ measureError NOTIFY measuringChanged)
  Q_PROPERTY(double mostRise READ mostRise WRITE setMostRise NOTIFY mostRiseChanged)

 public:
  enum Boundary { QuestionInFull, LastTokenInFull };
  Q_ENUM(Boundary)

  // Importances that were measured here are kept in `profiles`; what is chosen, in the settings.
  PopPanel(EngineState* engine, EngineClient* client, Settings* settings, const QString& profiles,
           QObject* parent = nullptr);

  bool on() const { return on_; }
  void setOn(bool on);
  int depth() const { return depth_; }
  void setDepth(int depth);
  int layers() const;
  Boundary boundary() const { return boundary_; }
  void setBoundary(Boundary boundary);

  // What a question asked now is prefilled with.
  PlanChoice plan() const;

  // Whether the next question stands behind a picture; without one, it does not run in full.
  void set_about_picture(bool about_picture);
  // Predictions are for a prompt like the last answer's, or for one with these pictures (soft tokens of each).
  void set_pictures(const std::vector<int64_t>& picture_tokens);
  void learn(const AnswerFigures& figures);
  int promptTokens() const { return static_cast<int>(next_.tokens); }
  // The time to the first token. 0 until this machine's speed is known, or nothing says what will be asked.
  double predictedMs() const { return predict(on_ ? depth_ : 0); }
  double predictedFullMs() const { return predict(0); }
  double predict(int depth) const;
  // Of the prefill alone, from the costs of the layers; needs no measurement.
  double speedUp() const;

  ImportanceModel* importances() { return &importances_; }
  // Whether there are importances of this model.
  bool measured() const { return importances_.count() > 0 && importances_.count() == layers(); }
  // Of the loss, in nats an answer; only where measured.
  double expectedRise() const;
  // Whether that is what was measured, not what the importances let expect.
  bool riseMeasured() const { return measured() && importances_.rises_measured(); }
  // The deepest plan whose rise, expected and measured, stays below mostRise. Needs riseMeasured().
  Q_INVOKABLE void chooseDepth();
  // Measures the importances on these turns, and keeps them for this model.
  void measure(const QList<Turn>& turns);
  Q_INVOKABLE void stopMeasuring();
  bool measuring() const { return measure_job_ != 0; }
  int measuredPercent() const { return measured_percent_; }
  QString measureError() const { return measure_error_; }
  double mostRise() const;
  void setMostRise(double nats);

 signals:
  void planChanged();
  void layersChanged();
  void predictionChanged();
  void measuringChanged();
  void mostRiseChanged();

 private:
  poplens::Boundary plan_boundary() const;
  void follow_boundary();
  void take_settings();

  EngineState* engine_;
  EngineClient* client_;
  Settings* settings_;
  quint64 measure_job_ = 0;
  int measured_percent_ = 0;
  QTimer measure_timer_;
  QString measure_error_;
  bool on_ = false;
  int depth_ = 0;
  bool depth_chosen_ = false;
  Boundary boundary_ = QuestionInFull;
  PromptExtent next_;    // of the prompt that predictions are for; its boundary is text_tokens_ from the end
  int64_t text_tokens_;  // after the last picture
  bool about_picture_ = false;
  double files_ms_ = 0.0;  // reading and resizing the pictures, last time
  MachineSpeed speed_;
  ImportanceModel importances_;
};

}  // namespace poplens::ui
