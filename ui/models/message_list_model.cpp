#include "ui/models/message_list_model.h"

#include <iterator>

#include <QQmlEngine>

namespace poplens::ui {

int MessageListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(messages_.size());
}

ChatMessage* MessageListModel::at(int row) const {
  return row >= 0 && row < count() ? messages_[static_cast<size_t>(row)].get() : nullptr;
}

QVariant MessageListModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  ChatMessage* message = at(index.row());
  if (role == MessageRole) return QVariant::fromValue(message);
  if (role == Qt::DisplayRole) return message->text();
  return {};
}

QHash<int, QByteArray> MessageListModel::roleNames() const {
  return {{MessageRole, "message"}};
}

QList<SentPicture> MessageListModel::subject_of(int row) const {
  for (int i = row - 1; i >= 0; --i) {
    if (!at(i)->record().pictures.isEmpty()) return at(i)->record().pictures;
  }
  return {};
}

void MessageListModel::retire(int from) {
  if (from == count()) return;
  const auto first = messages_.begin() + from;
  retired_.assign(std::make_move_iterator(first), std::make_move_iterator(messages_.end()));
  messages_.erase(first, messages_.end());
}

void MessageListModel::reset(const QList<MessageRecord>& records) {
  beginResetModel();
  retire(0);
  for (const MessageRecord& record : records) messages_.push_back(std::make_unique<ChatMessage>(record));
  for (const auto& message : messages_) QQmlEngine::setObjectOwnership(message.get(), QQmlEngine::CppOwnership);
  for (int row = 0; row < count(); ++row) at(row)->set_subject(subject_of(row));
  endResetModel();
  emit countChanged();
}

QList<MessageRecord> MessageListModel::records() const {
  QList<MessageRecord> records;
  for (const auto& message : messages_) records.append(message->record());
  return records;
}

ChatMessage* MessageListModel::append(MessageRecord record) {
  auto message = std::make_unique<ChatMessage>(std::move(record));
  message->set_subject(subject_of(count()));
  QQmlEngine::setObjectOwnership(message.get(), QQmlEngine::CppOwnership);
  beginInsertRows({}, count(), count());
  messages_.push_back(std::move(message));
  endInsertRows();
  emit countChanged();
  return last();
}

void MessageListModel::remove_from(int row) {
  if (row < 0 || row >= count()) return;
  beginRemoveRows({}, row, count() - 1);
  retire(row);
  endRemoveRows();
  emit countChanged();
}

}  // namespace poplens::ui
