// What the chat store keeps, as values.
#pragma once

#include <QDateTime>
#include <QList>
#include <QString>

#include "ui/engine/jobs.h"

namespace poplens::ui {

struct ConversationRecord {
  QString id;
  QString title;
  QString system;  // system prompt
  SamplingChoice sampling;
  qint64 changedMs = 0;  // since the epoch, UTC
  int pictures = 0;      // counted by the store
};

enum class MessageState : uint8_t { done, running, stopped, failed };

struct MessageRecord {
  QString id;
  QString conversation;
  int position = 0;
  QString role;  // "user", "assistant"
  QString text;
  QList<SentPicture> pictures;
  MessageState state = MessageState::done;
  QString error;
  AnswerFigures figures;
};

}  // namespace poplens::ui
