// Where a model's importance profile lies: measured here, or beside the weights.
#pragma once

#include <QString>

#include "engine/pop/profile.h"

namespace poplens::ui {

// The first of these files that is there, read and checked; an empty profile where none is. Reads the disk.
Result<ImportanceProfile> read_kept_profile(const QStringList& places);

}  // namespace poplens::ui
