// The models that lie on this machine, and what it can give them. Reads folders and files.
#pragma once

#include <stop_token>
#include <vector>

#include <QString>

#include "engine/session/find_models.h"

namespace poplens::ui {

struct ModelsFound {
  std::vector<FoundModel> models;
  qint64 free_bytes = 0;
  QString device;  // empty: none can be opened
};

// A stop leaves out what has not been looked at yet.
ModelsFound search_models(const ModelPlaces& places, const std::stop_token& stop);

}  // namespace poplens::ui
