// The conversations that are kept, newest first, or those that hold the words searched for.
#pragma once

#include <QAbstractListModel>
#include <QtQml/qqmlregistration.h>

#include "ui/store/records.h"

namespace poplens::ui {

class ChatStore;

class ConversationListModel : public QAbstractListModel {
  Q_OBJECT
  QML_ELEMENT
  QML_UNCREATABLE("made by the program")
  Q_PROPERTY(int count READ count NOTIFY countChanged)
  Q_PROPERTY(QString search READ search WRITE setSearch NOTIFY searchChanged)

 public:
  enum Role { IdRole = Qt::UserRole + 1, TitleRole, DetailRole };
  Q_ENUM(Role)

  explicit ConversationListModel(ChatStore* store, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QHash<int, QByteArray> roleNames() const override;
  int count() const { return rowCount(); }

  QString search() const { return search_; }
  void setSearch(const QString& search);
  // Asks the store again.
  void refresh();

  // By their ids: rows move while a person is asked.
  Q_INVOKABLE void rename(const QString& id, const QString& title);
  Q_INVOKABLE void remove(const QString& id);
  // Of a conversation in the list.
  Q_INVOKABLE QString idAt(int row) const;
  Q_INVOKABLE QString titleOf(const QString& id) const;

  std::optional<ConversationRecord> find(const QString& id) const;

 signals:
  void countChanged();
  void searchChanged();
  void removed(const QString& id);
  void renamed(const QString& id, const QString& title);

 private:
  void take(const QString& search, const QList<ConversationRecord>& records);
  // -1: it is not in the list.
  int row_of(const QString& id) const;

  ChatStore* store_;
  QList<ConversationRecord> records_;
  QString search_;
};

}  // namespace poplens::ui
