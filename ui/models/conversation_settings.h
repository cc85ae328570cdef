// How answers of the conversation that is open are drawn, one property a setting.
#pragma once

#include <QObject>
#include <QtQml/qqmlregistration.h>

#include "ui/engine/jobs.h"

namespace poplens::ui {

class Chat;
class Settings;

class ConversationSettings : public QObject {
  Q_OBJECT
  QML_ELEMENT
  QML_UNCREATABLE("made by the program")
  Q_PROPERTY(double temperature READ temperature WRITE setTemperature NOTIFY changed)
  Q_PROPERTY(int topK READ topK WRITE setTopK NOTIFY changed)
  Q_PROPERTY(double topP READ topP WRITE setTopP NOTIFY changed)
  Q_PROPERTY(double minP READ minP WRITE setMinP NOTIFY changed)
  Q_PROPERTY(double repetitionPenalty READ repetitionPenalty WRITE setRepetitionPenalty NOTIFY changed)
  Q_PROPERTY(QString seed READ seed WRITE setSeed NOTIFY changed)
  Q_PROPERTY(int maxTokens READ maxTokens WRITE setMaxTokens NOTIFY changed)
  Q_PROPERTY(bool own READ own NOTIFY changed)

 public:
  ConversationSettings(Chat* chat, Settings* settings, QObject* parent = nullptr);

  double temperature() const { return sampling().temperature; }
  void setTemperature(double temperature);
  int topK() const { return sampling().topK; }
  void setTopK(int count);
  double topP() const { return sampling().topP; }
  void setTopP(double share);
  double minP() const { return sampling().minP; }
  void setMinP(double share);
  double repetitionPenalty() const { return sampling().repetitionPenalty; }
  void setRepetitionPenalty(double factor);
  // A whole number of 64 bits, which no number of QML holds.
  QString seed() const { return QString::number(sampling().seed); }
  void setSeed(const QString& seed);
  int maxTokens() const { return sampling().maxTokens; }
  void setMaxTokens(int tokens);
  // Other than what new conversations begin with.
  bool own() const;

  Q_INVOKABLE void reset();

 signals:
  void changed();

 private:
  SamplingChoice sampling() const;
  template <typename Value>
  void set(Value SamplingChoice::*member, Value value);

  Chat* chat_;
  Settings* settings_;
};

}  // namespace poplens::ui
