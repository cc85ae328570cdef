// An answer's text as a list of blocks that grows at its end.
#pragma once

#include <QAbstractListModel>
#include <QtQml/qqmlregistration.h>

#include "ui/markdown/block_splitter.h"

namespace poplens::ui {

class BlockListModel : public QAbstractListModel {
  Q_OBJECT
  QML_ELEMENT
  QML_UNCREATABLE("made by messages")
  Q_PROPERTY(int count READ count NOTIFY countChanged)

 public:
  enum Role { CodeRole = Qt::UserRole + 1, TextRole, LanguageRole, GoesOnRole, GoesOnBelowRole };

  explicit BlockListModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QHash<int, QByteArray> roleNames() const override;
  int count() const { return rowCount(); }

  void append(const QString& text);
  void clear();

  // The whole code block that row `row` belongs to.
  Q_INVOKABLE QString codeAt(int row) const;
  // Characters of text blocks that were handed out to be parsed, in all: the test's counter.
  qint64 changedCharacters() const { return changed_characters_; }

 signals:
  void countChanged();

 private:
  BlockSplitter splitter_;
  QList<MarkdownBlock> shown_;
  qint64 changed_characters_ = 0;
};

}  // namespace poplens::ui
