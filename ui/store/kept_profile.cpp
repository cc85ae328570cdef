#include "ui/store/kept_profile.h"

#include <QFile>

namespace poplens::ui {

Result<ImportanceProfile> read_kept_profile(const QStringList& places) {
  for (const QString& place : places) {
    if (QFile::exists(place)) return read_profile(place.toStdString());
  }
  return ImportanceProfile{};
}

}  // namespace poplens::ui
