// Conversations written to files of the person's own.
#pragma once

#include <QObject>
#include <QUrl>
#include <QtQml/qqmlregistration.h>

#include "ui/store/conversation_file.h"

namespace poplens::ui {

class Chat;
class ChatStore;
class ConversationListModel;

class ConversationExporter : public QObject {
  Q_OBJECT
  QML_ELEMENT
  QML_UNCREATABLE("made by the program")

 public:
  ConversationExporter(ChatStore* store, ConversationListModel* conversations, Chat* chat, QObject* parent = nullptr);

  // By the file's ending: JSON, else Markdown with its pictures beside it.
  Q_INVOKABLE void exportTo(const QString& conversation, const QUrl& file);
  // A file's name from the title, without an ending.
  Q_INVOKABLE QString suggestedName(const QString& conversation) const;

 signals:
  // One sentence: where the file lies.
  void done(const QString& notice);
  void refused(const QString& reason);

 private:
  std::optional<ConversationRecord> find(const QString& conversation) const;
  void tell(const QString& path, const ConversationExport& result);

  ChatStore* store_;
  ConversationListModel* conversations_;
  Chat* chat_;
};

}  // namespace poplens::ui
