#include "ui/markdown/block_list_model.h"

#include <algorithm>

namespace poplens::ui {

int BlockListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

QVariant BlockListModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const MarkdownBlock& block = shown_[index.row()];
  switch (role) {
    case CodeRole:
      return block.kind == MarkdownBlock::Kind::code;
    case Qt::DisplayRole:
    case TextRole:
      return block.text;
    case LanguageRole:
      return block.language;
    case GoesOnRole:
      return block.goes_on;
    case GoesOnBelowRole:
      return index.row() + 1 < shown_.size() && shown_[index.row() + 1].goes_on;
    default:
      return {};
  }
}

QHash<int, QByteArray> BlockListModel::roleNames() const {
  return {{CodeRole, "code"},
          {TextRole, "text"},
          {LanguageRole, "language"},
          {GoesOnRole, "goesOn"},
          {GoesOnBelowRole, "goesOnBelow"}};
}

void BlockListModel::append(const QString& text) {
  if (text.isEmpty()) return;
  const int first_changed = splitter_.append(text);
  const QList<MarkdownBlock>& blocks = splitter_.blocks();
  const auto now = static_cast<int>(blocks.size());
  const auto before = static_cast<int>(shown_.size());
  if (now < before) {
    beginRemoveRows({}, now, before - 1);
    shown_.resize(now);
    endRemoveRows();
  }
  const int kept = std::min(before, now);
  for (int row = first_changed; row < kept; ++row) {
    if (shown_[row] == blocks[row]) continue;
    shown_[row] = blocks[row];
    changed_characters_ += shown_[row].text.size();
    emit dataChanged(index(row), index(row));
  }
  if (now > before) {
    beginInsertRows({}, before, now - 1);
    for (int row = before; row < now; ++row) {
      shown_.append(blocks[row]);
      changed_characters_ += blocks[row].text.size();
    }
    endInsertRows();
    if (before > 0) emit dataChanged(index(before - 1), index(before - 1), {GoesOnBelowRole});
  }
  if (now != before) emit countChanged();
}

void BlockListModel::clear() {
  beginResetModel();
  splitter_ = {};
  shown_.clear();
  endResetModel();
  emit countChanged();
}

QString BlockListModel::codeAt(int row) const {
  if (row < 0 || row >= shown_.size()) return {};
  int first = row;
  while (first > 0 && shown_[first].goes_on) --first;
  QString code = shown_[first].text;
  for (qsizetype next = first + 1; next < shown_.size() && shown_[next].goes_on; ++next) {
    code += QLatin1Char('\n') + shown_[next].text;
  }
  return code;
}

}  // namespace poplens::ui
