#include "ui/store/picture_folder.h"

#include <algorithm>

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QSaveFile>

namespace poplens::ui {
namespace {

constexpr qsizetype kHashDigits = 64;

bool is_hash(const QString& text) {
  return text.size() == kHashDigits && std::all_of(text.begin(), text.end(), [](QChar c) {
           return (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'f');
         });
}

}  // namespace

QString PictureFolder::path(const QString& hash) const {
  return is_hash(hash) ? QStringLiteral("%1/%2").arg(folder_, hash) : QString();
}

Result<QString> PictureFolder::add(const QByteArray& bytes) const {
  const QString hash = QString::fromLatin1(QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex());
  const QString file_path = path(hash);
  if (QFile::exists(file_path)) {
    // Its age says when it was last asked for.
    QFile kept(file_path);
    if (kept.open(QIODevice::ReadWrite)) {
      kept.setFileTime(QDateTime::currentDateTime(), QFileDevice::FileModificationTime);
    }
    return hash;
  }
  if (!QDir().mkpath(folder_)) return Error{folder_.toStdString() + ": the picture folder cannot be made"};
  QSaveFile file(file_path);
  const bool written = file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
  if (!written) return Error{file_path.toStdString() + ": cannot be written: " + file.errorString().toStdString()};
  return hash;
}

Result<QByteArray> PictureFolder::read(const QString& hash) const {
  const QString file_path = path(hash);
  if (file_path.isEmpty()) return Error{"\"" + hash.toStdString() + "\" is no picture's hash"};
  QFile file(file_path);
  if (!file.open(QIODevice::ReadOnly)) {
    return Error{file_path.toStdString() + ": cannot be read: " + file.errorString().toStdString()};
  }
  return file.readAll();
}

}  // namespace poplens::ui
