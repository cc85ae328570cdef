#include "ui/models/conversation_exporter.h"

#include <QFileInfo>

#include "ui/models/chat.h"
#include "ui/models/conversation_list_model.h"
#include "ui/store/chat_store.h"

namespace poplens::ui {

ConversationExporter::ConversationExporter(ChatStore* store, ConversationListModel* conversations, Chat* chat,
                                           QObject* parent)
    : QObject(parent), store_(store), conversations_(conversations), chat_(chat) {
  connect(store, &ChatStore::exported, this, &ConversationExporter::tell);
}

std::optional<ConversationRecord> ConversationExporter::find(const QString& conversation) const {
  // A search may have left the open conversation out of the list.
  if (conversation == chat_->conversation() && !conversation.isEmpty()) return chat_->conversation_record();
  return conversations_->find(conversation);
}

QString ConversationExporter::suggestedName(const QString& conversation) const {
  const auto record = find(conversation);
  return file_name_for(record ? record->title : QString());
}

void ConversationExporter::exportTo(const QString& conversation, const QUrl& file) {
  const auto record = find(conversation);
  if (!record) {
    emit refused(tr("There is no conversation to export yet."));
  } else if (chat_->running() && conversation == chat_->conversation()) {
    emit refused(tr("The conversation can be exported when its answer is complete."));
  } else if (!file.isLocalFile()) {
    emit refused(tr("%1 is no file on this machine.").arg(file.toDisplayString()));
  } else {
    const QString path = file.toLocalFile();
    const bool json = QFileInfo(path).suffix().compare(QLatin1String("json"), Qt::CaseInsensitive) == 0;
    store_->export_to(path, *record, json ? ConversationFormat::json : ConversationFormat::markdown);
  }
}

void ConversationExporter::tell(const QString& path, const ConversationExport& result) {
  QString notice = tr("Exported to %1.").arg(path);
  if (result.pictures == 1) notice = tr("Exported to %1, with 1 picture beside it.").arg(path);
  if (result.pictures > 1) notice = tr("Exported to %1, with %2 pictures beside it.").arg(path).arg(result.pictures);
  if (!result.missing.isEmpty()) {
    notice += u' ' + tr("No longer there: %1.").arg(result.missing.join(QStringLiteral(", ")));
  }
  emit done(notice);
}

}  // namespace poplens::ui
