#include "ui/store/conversation_file.h"

#include <algorithm>
#include <array>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QUrl>

#include "ui/i18n/reason_text.h"
#include "ui/markdown/block_splitter.h"
#include "ui/store/comparison_file.h"
#include "ui/store/figures_json.h"

namespace poplens::ui {
namespace {

constexpr qsizetype kLongestName = 80;

struct Texts {
  Q_DECLARE_TR_FUNCTIONS(ConversationFile)
};

QString name_of(MessageState state) {
  switch (state) {
    case MessageState::done:
      return QStringLiteral("done");
    case MessageState::running:
      return QStringLiteral("running");
    case MessageState::stopped:
      return QStringLiteral("stopped");
    case MessageState::failed:
      return QStringLiteral("failed");
  }
  return {};
}

QJsonObject object_of(const QString& json) {
  return QJsonDocument::fromJson(json.toUtf8()).object();
}

QJsonObject picture_json(const SentPicture& picture) {
  return {{"name", picture.name},
          {"sha256", picture.hash},
          {"width", picture.size.width()},
          {"height", picture.size.height()},
          {"model_width", picture.modelSize.width()},
          {"model_height", picture.modelSize.height()},
          {"tokens", picture.tokens},
          {"max_tokens", picture.maxTokens}};
}

QJsonObject message_json(const MessageRecord& message) {
  QJsonObject json{{"role", message.role}, {"text", message.text}, {"state", name_of(message.state)}};
  if (!message.error.isEmpty()) json["error"] = message.error;
  QJsonArray pictures;
  for (const SentPicture& picture : message.pictures) pictures.append(picture_json(picture));
  if (!pictures.isEmpty()) json["pictures"] = pictures;
  if (message.figures.ttftMs > 0.0) json["figures"] = object_of(to_json(message.figures));
  return json;
}

// The ending that programs know a picture's bytes by; its own name may have another, or none.
QString ending_of(const QByteArray& bytes) {
  struct Kind {
    QByteArrayView begin;
    const char* ending;
  };
  static constexpr std::array kinds = {Kind{"\x89PNG", ".png"}, Kind{"\xff\xd8\xff", ".jpg"}, Kind{"GIF8", ".gif"},
                                       Kind{"BM", ".bmp"},      Kind{"II*", ".tif"},          Kind{"MM", ".tif"}};
  for (const Kind& kind : kinds) {
    if (bytes.startsWith(kind.begin)) return QLatin1String(kind.ending);
  }
  return bytes.startsWith("RIFF") && bytes.mid(8, 4) == "WEBP" ? QStringLiteral(".webp") : QString();
}

// Characters that Markdown would take for marks, and line ends.
QString escaped(const QString& text) {
  QString result;
  for (const QChar c : text.simplified()) {
    if (QStringView(u"\\`*_{}[]<>#|!~$").contains(c)) result += u'\\';
    result += c;
  }
  return result;
}

// A fence that is open at the end (an answer that was stopped) would swallow the rest of the file.
QString with_fence_closed(const QString& text) {
  BlockSplitter splitter;
  splitter.append(text);
  const QString fence = splitter.open_fence();
  return fence.isEmpty() ? text : text + u'\n' + fence;
}

QString quoted(const QString& text) {
  return QStringLiteral("> ") + QString(text).replace(u'\n', QLatin1String("\n> "));
}

QString ms(double value) {
  return Texts::tr("%1 ms").arg(QLocale().toString(value, 'f', value < 10.0 ? 1 : 0));
}

QString figures_line(const AnswerFigures& figures) {
  const std::array stages = {
      std::pair{Texts::tr("picture"), figures.stages.image_decode_ms + figures.stages.preprocess_ms},
      std::pair{Texts::tr("vision encoder"), figures.stages.vision_ms},
      std::pair{Texts::tr("prefill"), figures.stages.prefill_ms},
      std::pair{Texts::tr("boundary"), figures.stages.boundary_ms},
      std::pair{Texts::tr("first token"), figures.stages.first_token_ms}};
  QStringList shares;
  for (const auto& [name, time] : stages) {
    if (time > 0.0) shares.append(QStringLiteral("%1 %2").arg(name, ms(time)));
  }
  QStringList parts{Texts::tr("%1 to the first token (%2)").arg(ms(figures.ttftMs), shares.join(QStringLiteral(", ")))};
  parts.append(Texts::tr("%1 tokens read, %2 answered")
                   .arg(QLocale().toString(figures.promptTokens), QLocale().toString(figures.answerTokens)));
  if (figures.tokensPerSecond > 0.0) {
    parts.append(Texts::tr("%1 tokens/s").arg(QLocale().toString(figures.tokensPerSecond, 'f', 1)));
  }
  parts.append(figures.prunedLayers > 0 ? Texts::tr("POP %1 of %2").arg(figures.prunedLayers).arg(figures.layers)
                                        : Texts::tr("full model"));
  return parts.join(QStringLiteral(" · "));
}

QString picture_markdown(const SentPicture& picture, const QHash<QString, QString>& links) {
  const QString link = links.value(picture.hash);
  if (link.isEmpty()) return Texts::tr("*%1: this picture is no longer there*").arg(escaped(picture.name));
  return QStringLiteral("![%1](%2)").arg(escaped(picture.name), link);
}

QStringList message_paragraphs(const MessageRecord& message, const QHash<QString, QString>& links) {
  const bool question = message.role == QLatin1String("user");
  const QString answerer = message.figures.model.isEmpty() ? Texts::tr("Answer") : message.figures.model;
  QStringList paragraphs{QStringLiteral("## ") + (question ? Texts::tr("Question") : escaped(answerer))};
  for (const SentPicture& picture : message.pictures) paragraphs.append(picture_markdown(picture, links));
  if (!message.text.isEmpty()) paragraphs.append(with_fence_closed(message.text));
  if (message.state == MessageState::failed) paragraphs.append(quoted(escaped(reason_text(message.error))));
  if (message.state == MessageState::stopped) paragraphs.append(QStringLiteral("*%1*").arg(Texts::tr("Stopped.")));
  if (message.figures.ttftMs > 0.0) paragraphs.append(quoted(figures_line(message.figures)));
  return paragraphs;
}

struct Copied {
  QHash<QString, QString> links;
  QList<QString> missing;
};

Result<Copied> copy_pictures(const QList<MessageRecord>& messages, const PictureFolder& pictures, const QString& path) {
  const QFileInfo file(path);
  const QString folder_name = Texts::tr("%1 pictures").arg(file.completeBaseName());
  const QDir folder(file.absoluteDir().filePath(folder_name));
  Copied copied;
  for (const MessageRecord& message : messages) {
    for (const SentPicture& picture : message.pictures) {
      if (copied.links.contains(picture.hash)) continue;
      auto bytes = pictures.read(picture.hash);
      if (!bytes.ok()) {
        copied.missing.append(picture.name);
        continue;
      }
      if (!folder.mkpath(QStringLiteral("."))) {
        return Error{folder.path().toStdString() + ": the folder for the pictures cannot be made"};
      }
      const QString name = picture.hash + ending_of(*bytes);
      POPLENS_CHECK(write_export(folder.filePath(name), *bytes));
      copied.links.insert(picture.hash, QString::fromLatin1(QUrl::toPercentEncoding(folder_name)) + u'/' + name);
    }
  }
  return copied;
}

}  // namespace

QByteArray conversation_json(const ConversationRecord& conversation, const QList<MessageRecord>& messages) {
  QJsonArray list;
  for (const MessageRecord& message : messages) list.append(message_json(message));
  const QString changed = QDateTime::fromMSecsSinceEpoch(conversation.changedMs, Qt::UTC).toString(Qt::ISODateWithMs);
  return QJsonDocument(QJsonObject{{"format", "poplens conversation"},
                                   {"version", 1},
                                   {"title", conversation.title},
                                   {"system", conversation.system},
                                   {"changed", changed},
                                   {"sampling", object_of(to_json(conversation.sampling))},
                                   {"messages", list}})
      .toJson();
}

QByteArray conversation_markdown(const ConversationRecord& conversation, const QList<MessageRecord>& messages,
                                 const QHash<QString, QString>& links) {
  QStringList paragraphs{QStringLiteral("# ") + escaped(conversation.title)};
  if (!conversation.system.trimmed().isEmpty()) {
    paragraphs.append(Texts::tr("System prompt:"));
    paragraphs.append(quoted(conversation.system.trimmed()));
  }
  for (const MessageRecord& message : messages) paragraphs += message_paragraphs(message, links);
  return paragraphs.join(QStringLiteral("\n\n")).toUtf8() + '\n';
}

QString file_name_for(const QString& title) {
  QString name;
  for (const QChar c : title.simplified()) {
    if (c.isPrint() && !QStringView(u"/\\:*?\"<>|%#").contains(c)) name += c;
  }
  name = name.simplified().left(kLongestName);
  while (name.startsWith(u'.') || name.startsWith(u' ')) name.remove(0, 1);
  while (name.endsWith(u'.') || name.endsWith(u' ')) name.chop(1);
  return name.isEmpty() ? Texts::tr("Conversation") : name;
}

Result<ConversationExport> export_conversation(const ConversationRecord& conversation,
                                               const QList<MessageRecord>& messages, const PictureFolder& pictures,
                                               const QString& path, ConversationFormat format) {
  if (format == ConversationFormat::json) {
    POPLENS_CHECK(write_export(path, conversation_json(conversation, messages)));
    return ConversationExport{};
  }
  POPLENS_TRY(copied, copy_pictures(messages, pictures, path));
  POPLENS_CHECK(write_export(path, conversation_markdown(conversation, messages, copied.links)));
  return ConversationExport{.pictures = static_cast<int>(copied.links.size()), .missing = copied.missing};
}

}  // namespace poplens::ui
