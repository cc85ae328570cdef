// Conversations as files for others to read: Markdown with its pictures beside it, JSON with every figure.
#pragma once

#include <QByteArray>
#include <QString>

#include "engine/base/result.h"
#include "ui/store/picture_folder.h"
#include "ui/store/records.h"

namespace poplens::ui {

enum class ConversationFormat : uint8_t { markdown, json };

struct ConversationExport {
  int pictures = 0;        // copied
  QList<QString> missing;  // names of pictures that are no longer there
};

// An object with "title", "system", "changed" (ISO 8601, UTC), "sampling" and "messages"; a message has "role", "text",
// "state" and, where it has some, "error", "pictures" and "figures" (as `poplens-cli --json` names them).
QByteArray conversation_json(const ConversationRecord& conversation, const QList<MessageRecord>& messages);

// `links`: where each picture lies, by its hash, as a Markdown link has it; one without a link is named only.
QByteArray conversation_markdown(const ConversationRecord& conversation, const QList<MessageRecord>& messages,
                                 const QHash<QString, QString>& links);

// "What is on the invoice" for a title with characters that file systems refuse; never empty, no ending.
QString file_name_for(const QString& title);

// Writes the file, and for Markdown the pictures into "NAME pictures" beside it, each under its hash. The file is
// written last and moved into place.
Result<ConversationExport> export_conversation(const ConversationRecord& conversation,
                                               const QList<MessageRecord>& messages, const PictureFolder& pictures,
                                               const QString& path, ConversationFormat format);

}  // namespace poplens::ui
