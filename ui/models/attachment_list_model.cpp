#include "ui/models/attachment_list_model.h"

#include <algorithm>
#include <utility>

#include "ui/store/picture_desk.h"

namespace poplens::ui {
namespace {

// An address may hold the picture itself.
QString name_of(const QUrl& file) {
  if (file.isLocalFile()) return file.fileName();
  constexpr qsizetype kMostCharacters = 80;
  const QString address = file.toDisplayString();
  return address.size() > kMostCharacters ? address.left(kMostCharacters - 1) + QStringLiteral("…") : address;
}

}  // namespace

AttachmentListModel::AttachmentListModel(PictureDesk* desk, QObject* parent) : QAbstractListModel(parent), desk_(desk) {
  connect(desk, &PictureDesk::measured, this, &AttachmentListModel::take);
  connect(desk, &PictureDesk::damaged, this, &AttachmentListModel::refuse);
}

int AttachmentListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(attachments_.size());
}

QVariant AttachmentListModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Attachment& attachment = attachments_[index.row()];
  switch (role) {
    case Qt::DisplayRole:
      return attachment.picture.name;
    case PictureRole:
      return QVariant::fromValue(attachment.picture);
    case ReasonRole:
      return attachment.reason;
    case MeasuredRole:
      return attachment.measured;
    default:
      return {};
  }
}

QHash<int, QByteArray> AttachmentListModel::roleNames() const {
  return {{PictureRole, "picture"}, {ReasonRole, "reason"}, {MeasuredRole, "measured"}};
}

bool AttachmentListModel::ready() const {
  return std::all_of(attachments_.begin(), attachments_.end(),
                     [](const Attachment& attachment) { return attachment.measured && attachment.reason.isEmpty(); });
}

int AttachmentListModel::tokens() const {
  int sum = 0;
  for (const Attachment& attachment : attachments_) sum += attachment.picture.tokens;
  return sum;
}

int AttachmentListModel::refused() const {
  return static_cast<int>(std::count_if(attachments_.begin(), attachments_.end(),
                                        [](const Attachment& attachment) { return !attachment.reason.isEmpty(); }));
}

QList<SentPicture> AttachmentListModel::pictures() const {
  QList<SentPicture> list;
  for (const Attachment& attachment : attachments_) list.append(attachment.picture);
  return list;
}

quint64 AttachmentListModel::append(SentPicture picture) {
  const quint64 id = ++last_id_;
  beginInsertRows({}, count(), count());
  attachments_.append({.id = id, .picture = std::move(picture)});
  endInsertRows();
  emit countChanged();
  emit readyChanged();
  return id;
}

void AttachmentListModel::addFiles(const QList<QUrl>& files) {
  for (const QUrl& file : files) {
    const QString path = file.toLocalFile();
    SentPicture picture;
    picture.name = name_of(file);
    picture.maxTokens = max_tokens_;
    const quint64 id = append(picture);
    if (file.isLocalFile()) {
      desk_->take_file(id, path, max_tokens_);
    } else {
      take(id, picture, tr("%1 is no file on this machine: save the picture first.").arg(picture.name));
    }
  }
}

void AttachmentListModel::add_image(const QString& name, const QImage& image) {
  SentPicture picture;
  picture.name = name;
  picture.maxTokens = max_tokens_;
  desk_->take_image(append(picture), name, image, max_tokens_);
}

void AttachmentListModel::add(const QList<SentPicture>& pictures) {
  for (const SentPicture& picture : pictures) desk_->measure(append(picture), picture);
}

void AttachmentListModel::remove(int row) {
  if (row < 0 || row >= count()) return;
  beginRemoveRows({}, row, row);
  attachments_.removeAt(row);
  endRemoveRows();
  emit countChanged();
  emit readyChanged();
  emit contentChanged();
}

void AttachmentListModel::clear() {
  if (attachments_.isEmpty()) return;
  beginRemoveRows({}, 0, count() - 1);
  attachments_.clear();
  endRemoveRows();
  emit countChanged();
  emit readyChanged();
  emit contentChanged();
}

void AttachmentListModel::measure_again() {
  for (int row = 0; row < count(); ++row) {
    Attachment& attachment = attachments_[row];
    // One that is being read is measured again once it has been.
    attachment.outdated = attachment.picture.hash.isEmpty();
    if (attachment.outdated) continue;
    attachment.id = ++last_id_;
    attachment.measured = false;
    attachment.picture.maxTokens = max_tokens_;
    desk_->measure(attachment.id, attachment.picture);
    emit dataChanged(index(row), index(row));
  }
  emit readyChanged();
}

void AttachmentListModel::check() {
  for (const Attachment& attachment : attachments_) {
    if (attachment.measured && attachment.reason.isEmpty()) desk_->check(attachment.id, attachment.picture);
  }
}

void AttachmentListModel::setMaxTokens(int tokens) {
  if (tokens == max_tokens_) return;
  max_tokens_ = tokens;
  emit maxTokensChanged();
  measure_again();
}

void AttachmentListModel::take(quint64 id, const SentPicture& picture, const QString& reason) {
  const auto found = std::find_if(attachments_.begin(), attachments_.end(),
                                  [&](const Attachment& attachment) { return attachment.id == id; });
  if (found == attachments_.end()) return;
  const bool outdated = std::exchange(found->outdated, false) && !picture.hash.isEmpty();
  found->picture = picture;
  found->reason = reason;
  found->measured = true;
  const auto row = static_cast<int>(found - attachments_.begin());
  if (outdated) {
    found->id = ++last_id_;
    found->measured = false;
    found->picture.maxTokens = max_tokens_;
    desk_->measure(found->id, found->picture);
  }
  emit dataChanged(index(row), index(row));
  emit readyChanged();
  if (!outdated) emit contentChanged();
}

void AttachmentListModel::refuse(quint64 id, const QString& reason) {
  for (int row = 0; row < count(); ++row) {
    if (attachments_[row].id != id) continue;
    attachments_[row].reason = reason;
    emit dataChanged(index(row), index(row), {ReasonRole});
    emit readyChanged();
    emit contentChanged();
  }
}

}  // namespace poplens::ui
