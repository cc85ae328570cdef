#include "ui/models/conversation_settings.h"

#include <algorithm>

#include "ui/models/chat.h"
#include "ui/models/settings.h"

namespace poplens::ui {

ConversationSettings::ConversationSettings(Chat* chat, Settings* settings, QObject* parent)
    : QObject(parent), chat_(chat), settings_(settings) {
  connect(chat, &Chat::conversationChanged, this, &ConversationSettings::changed);
  connect(settings, &Settings::changed, this, &ConversationSettings::changed);
}

SamplingChoice ConversationSettings::sampling() const {
  return chat_->sampling();
}

template <typename Value>
void ConversationSettings::set(Value SamplingChoice::*member, Value value) {
  SamplingChoice choice = sampling();
  choice.*member = value;
  chat_->set_sampling(choice);
}

void ConversationSettings::setTemperature(double temperature) {
  set(&SamplingChoice::temperature, std::max(0.0, temperature));
}

void ConversationSettings::setTopK(int count) {
  set(&SamplingChoice::topK, std::max(0, count));
}

void ConversationSettings::setTopP(double share) {
  set(&SamplingChoice::topP, std::clamp(share, 0.0, 1.0));
}

void ConversationSettings::setMinP(double share) {
  set(&SamplingChoice::minP, std::clamp(share, 0.0, 1.0));
}

void ConversationSettings::setRepetitionPenalty(double factor) {
  if (factor > 0.0) set(&SamplingChoice::repetitionPenalty, factor);
}

void ConversationSettings::setSeed(const QString& seed) {
  bool whole = false;
  const quint64 value = seed.toULongLong(&whole);
  if (whole) set(&SamplingChoice::seed, value);
}

void ConversationSettings::setMaxTokens(int tokens) {
  set(&SamplingChoice::maxTokens, std::max(1, tokens));
}

bool ConversationSettings::own() const {
  return !(sampling() == settings_->sampling());
}

void ConversationSettings::reset() {
  chat_->set_sampling(settings_->sampling());
}

}  // namespace poplens::ui
