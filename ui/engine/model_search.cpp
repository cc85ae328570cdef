#include "ui/engine/model_search.h"

#include "engine/session/load_model.h"
#include "engine/session/memory_need.h"

namespace poplens::ui {

ModelsFound search_models(const ModelPlaces& places, const std::stop_token& stop) {
  ModelsFound found{.models = find_models(places, stop), .free_bytes = available_memory_bytes(), .device = {}};
  const auto device = open_device(DeviceChoice::automatic, 0);
  if (device.ok()) found.device = QString::fromStdString((*device)->description());
  return found;
}

}  // namespace poplens::ui
