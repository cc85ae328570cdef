// The messages of the conversation that is open.
#pragma once

#include <memory>
#include <vector>

#include <QAbstractListModel>
#include <QtQml/qqmlregistration.h>

#include "ui/models/chat_message.h"

namespace poplens::ui {

class MessageListModel : public QAbstractListModel {
  Q_OBJECT
  QML_ELEMENT
  QML_UNCREATABLE("made by the program")
  Q_PROPERTY(int count READ count NOTIFY countChanged)

 public:
  enum Role { MessageRole = Qt::UserRole + 1 };

  explicit MessageListModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QHash<int, QByteArray> roleNames() const override;
  int count() const { return rowCount(); }

  ChatMessage* at(int row) const;
  ChatMessage* last() const { return at(count() - 1); }
  QList<MessageRecord> records() const;
  bool has_pictures() const { return !subject_of(count()).isEmpty(); }

  void reset(const QList<MessageRecord>& records);
  ChatMessage* append(MessageRecord record);
  void remove_from(int row);

 signals:
  void countChanged();

 private:
  // The pictures that the answer in this row is about: those of the last question that has some.
  QList<SentPicture> subject_of(int row) const;
  // Screens hold on to messages that are gone until they are laid out again.
  void retire(int from);

  std::vector<std::unique_ptr<ChatMessage>> messages_;
  std::vector<std::unique_ptr<ChatMessage>> retired_;  // those that were removed last
};

}  // namespace poplens::ui
