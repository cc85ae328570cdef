#include "ui/models/conversation_list_model.h"

#include <algorithm>

#include <QDateTime>
#include <QLocale>

#include "ui/store/chat_store.h"

namespace poplens::ui {
namespace {

// "today", "yesterday", "Monday", "21 Nov"
QString day_of(qint64 changed_ms) {
  const QDate day = QDateTime::fromMSecsSinceEpoch(changed_ms).date();
  const qint64 ago = day.daysTo(QDate::currentDate());
  if (ago <= 0) return ConversationListModel::tr("today");
  if (ago == 1) return ConversationListModel::tr("yesterday");
  constexpr qint64 kWeek = 7;
  if (ago < kWeek) return QLocale().toString(day, QStringLiteral("dddd"));
  return QLocale().toString(day, QStringLiteral("d MMM"));
}

QString detail_of(const ConversationRecord& record) {
  QString day = day_of(record.changedMs);
  if (record.pictures == 0) return day;
  const QString pictures = record.pictures == 1 ? ConversationListModel::tr("1 picture")
                                                : ConversationListModel::tr("%1 pictures").arg(record.pictures);
  return pictures + QStringLiteral(" · ") + day;
}

bool same(const ConversationRecord& a, const ConversationRecord& b) {
  return a.id == b.id && a.title == b.title && a.changedMs == b.changedMs && a.pictures == b.pictures;
}

}  // namespace

ConversationListModel::ConversationListModel(ChatStore* store, QObject* parent)
    : QAbstractListModel(parent), store_(store) {
  connect(store, &ChatStore::found, this, &ConversationListModel::take);
  connect(store, &ChatStore::saved, this, &ConversationListModel::refresh);
}

int ConversationListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(records_.size());
}

QVariant ConversationListModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const ConversationRecord& record = records_[index.row()];
  switch (role) {
    case IdRole:
      return record.id;
    case Qt::DisplayRole:
    case TitleRole:
      return record.title;
    case DetailRole:
      return detail_of(record);
    default:
      return {};
  }
}

QHash<int, QByteArray> ConversationListModel::roleNames() const {
  return {{IdRole, "conversationId"}, {TitleRole, "title"}, {DetailRole, "detail"}};
}

void ConversationListModel::refresh() {
  store_->find(search_);
}

void ConversationListModel::setSearch(const QString& search) {
  if (search == search_) return;
  search_ = search;
  emit searchChanged();
  refresh();
}

void ConversationListModel::take(const QString& search, const QList<ConversationRecord>& records) {
  if (search != search_) return;  // an older question's answer
  const bool rows_alike =
      records.size() == records_.size() && std::equal(records.begin(), records.end(), records_.begin(),
                                                      [](const auto& a, const auto& b) { return a.id == b.id; });
  if (rows_alike) {
    for (int row = 0; row < count(); ++row) {
      const bool changed = !same(records[row], records_[row]);
      records_[row] = records[row];
      if (changed) emit dataChanged(index(row), index(row));
    }
    return;
  }
  beginResetModel();
  records_ = records;
  endResetModel();
  emit countChanged();
}

int ConversationListModel::row_of(const QString& id) const {
  const auto found =
      std::find_if(records_.begin(), records_.end(), [&](const auto& record) { return record.id == id; });
  return found == records_.end() ? -1 : static_cast<int>(found - records_.begin());
}

void ConversationListModel::rename(const QString& id, const QString& title) {
  const QString name = title.trimmed();
  if (id.isEmpty() || name.isEmpty()) return;
  store_->rename(id, name);
  if (const int row = row_of(id); row >= 0) {
    records_[row].title = name;
    emit dataChanged(index(row), index(row));
  }
  emit renamed(id, name);
}

void ConversationListModel::remove(const QString& id) {
  if (id.isEmpty()) return;
  // First, since an answer that runs in it is stopped and kept.
  emit removed(id);
  store_->remove(id);
  if (const int row = row_of(id); row >= 0) {
    beginRemoveRows({}, row, row);
    records_.removeAt(row);
    endRemoveRows();
    emit countChanged();
  }
}

QString ConversationListModel::idAt(int row) const {
  return data(index(row), IdRole).toString();
}

QString ConversationListModel::titleOf(const QString& id) const {
  const auto record = find(id);
  return record ? record->title : QString();
}

std::optional<ConversationRecord> ConversationListModel::find(const QString& id) const {
  const int row = row_of(id);
  return row < 0 ? std::nullopt : std::optional(records_[row]);
}

}  // namespace poplens::ui
