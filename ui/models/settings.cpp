#include "ui/models/settings.h"

#include <algorithm>

#include "ui/store/chat_store.h"

namespace poplens::ui {

Settings::Settings(ChatStore* store, QObject* parent) : QObject(parent), store_(store) {
  connect(store, &ChatStore::opened, this, [this](const QString&, const QHash<QString, QString>& values) {
    values_ = values;
    emit changed();
    emit ready();
  });
}

QString Settings::value(const QString& name, const QString& otherwise) const {
  return values_.value(name, otherwise);
}

void Settings::set(const QString& name, const QString& text) {
  if (values_.contains(name) && values_.value(name) == text) return;
  values_.insert(name, text);
  store_->save_setting(name, text);
  emit changed();
}

Settings::Scheme Settings::scheme() const {
  return static_cast<Scheme>(std::clamp(value("scheme").toInt(), static_cast<int>(System), static_cast<int>(Dark)));
}

void Settings::setScheme(Scheme scheme) {
  set("scheme", QString::number(scheme));
}

bool Settings::prefillAhead() const {
  return value("prefill_ahead", "1") == "1";
}

void Settings::setPrefillAhead(bool on) {
  set("prefill_ahead", on ? "1" : "0");
}

bool Settings::showMarks() const {
  return value("show_marks", "1") == "1";
}

void Settings::setShowMarks(bool on) {
  set("show_marks", on ? "1" : "0");
}

double Settings::temperature() const {
  return value("temperature", "0").toDouble();
}

void Settings::setTemperature(double temperature) {
  set("temperature", QString::number(temperature));
}

int Settings::maxTokens() const {
  return value("max_tokens", QString::number(SamplingChoice().maxTokens)).toInt();
}

void Settings::setMaxTokens(int tokens) {
  set("max_tokens", QString::number(std::max(1, tokens)));
}

int Settings::threads() const {
  return value("threads", "0").toInt();
}

void Settings::setThreads(int threads) {
  set("threads", QString::number(std::max(0, threads)));
}

bool Settings::popOn() const {
  return value("pop_on", "0") == "1";
}

void Settings::setPopOn(bool on) {
  set("pop_on", on ? "1" : "0");
}

int Settings::popBoundary() const {
  return value("pop_boundary", "0").toInt();
}

void Settings::setPopBoundary(int boundary) {
  set("pop_boundary", QString::number(boundary));
}

double Settings::mostRise() const {
  constexpr double kUsual = 0.05, kMost = 1000.0;
  bool is_number = false;
  const double nats = value("most_rise").toDouble(&is_number);
  return is_number && nats >= 0.0 && nats <= kMost ? nats : kUsual;
}

void Settings::setMostRise(double nats) {
  set("most_rise", QString::number(std::max(0.0, nats)));
}

int Settings::pop_depth(const QString& model_folder) const {
  bool is_number = false;
  const int depth = value("pop_depth " + model_folder).toInt(&is_number);
  return is_number ? depth : -1;
}

void Settings::set_pop_depth(const QString& model_folder, int depth) {
  set("pop_depth " + model_folder, QString::number(depth));
}

QString Settings::model() const {
  return value("model");
}

void Settings::set_model(const QString& folder) {
  set("model", folder);
}

QStringList Settings::model_folders() const {
  return value("model_folders").split('\n', Qt::SkipEmptyParts);
}

void Settings::set_model_folders(const QStringList& folders) {
  set("model_folders", folders.join('\n'));
}

SamplingChoice Settings::sampling() const {
  SamplingChoice choice;
  choice.temperature = temperature();
  choice.maxTokens = maxTokens();
  return choice;
}

}  // namespace poplens::ui
