// One message of the conversation that is open: a question with its pictures, or an answer with its figures.
#pragma once

#include <QObject>
#include <QVariantList>
#include <QtQml/qqmlregistration.h>

#include "ui/base/long_run.h"
#include "ui/markdown/block_list_model.h"
#include "ui/models/marked_picture.h"
#include "ui/models/stage_bar_model.h"
#include "ui/store/records.h"

namespace poplens::ui {

class ChatMessage : public QObject {
  Q_OBJECT
  QML_ELEMENT
  QML_UNCREATABLE("made by conversations")
  Q_PROPERTY(bool question READ question CONSTANT)
  Q_PROPERTY(QString text READ text NOTIFY textChanged)
  Q_PROPERTY(bool longRun READ longRun CONSTANT)
  Q_PROPERTY(QVariantList pictures READ pictures CONSTANT)
  Q_PROPERTY(poplens::ui::ChatMessage::State state READ state NOTIFY stateChanged)
  Q_PROPERTY(QString error READ error NOTIFY stateChanged)
  Q_PROPERTY(QString advice READ advice NOTIFY stateChanged)
  Q_PROPERTY(poplens::ui::AnswerFigures figures READ figures NOTIFY figuresChanged)
  Q_PROPERTY(QVariantList markedPictures READ markedPictures NOTIFY markedPicturesChanged)
  Q_PROPERTY(poplens::ui::BlockListModel* blocks READ blocks CONSTANT)
  Q_PROPERTY(poplens::ui::StageBarModel* stages READ stages CONSTANT)

 public:
  enum State { Done, Running, Stopped, Failed };
  Q_ENUM(State)

  explicit ChatMessage(MessageRecord record, QObject* parent = nullptr);

  const MessageRecord& record() const { return record_; }
  bool question() const { return record_.role == "user"; }
  QString text() const { return record_.text; }
  // Of a question: lines must not be broken at words only.
  bool longRun() const { return has_long_run(record_.text); }
  QVariantList pictures() const;
  State state() const { return static_cast<State>(record_.state); }
  // Stored as the engine says it, so that it is read in whatever language the program runs in.
  QString error() const;
  // One thing to do about the error.
  QString advice() const;
  AnswerFigures figures() const { return record_.figures; }
  BlockListModel* blocks() { return &blocks_; }
  StageBarModel* stages() { return &stages_; }

  // MarkedPicture: what the answer marks in the pictures that it is about. None while it runs, so that nothing moves.
  QVariantList markedPictures() const { return marked_pictures_; }
  void set_subject(const QList<SentPicture>& pictures);

  void append(const QString& text);
  void finish(const AskAnswer& answer);
  void fail(const Failure& failure);

 signals:
  void textChanged();
  void stateChanged();
  void figuresChanged();
  void markedPicturesChanged();

 private:
  void find_marks();

  MessageRecord record_;
  QList<SentPicture> subject_;
  QVariantList marked_pictures_;
  BlockListModel blocks_;
  StageBarModel stages_;
};

}  // namespace poplens::ui
