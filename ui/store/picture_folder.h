// Pictures of conversations, each stored once under the SHA-256 of its bytes.
#pragma once

#include <QByteArray>
#include <QString>

#include "engine/base/result.h"

namespace poplens::ui {

class PictureFolder {
 public:
  explicit PictureFolder(QString folder) : folder_(std::move(folder)) {}

  // Writes the picture unless it is there; gives its hash. A reader never sees half a file.
  Result<QString> add(const QByteArray& bytes) const;
  Result<QByteArray> read(const QString& hash) const;
  // Where the picture lies. A hash is 64 hex digits; anything else has no place (empty).
  QString path(const QString& hash) const;
  const QString& folder() const { return folder_; }

 private:
  QString folder_;
};

}  // namespace poplens::ui
