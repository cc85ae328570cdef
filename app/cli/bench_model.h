// The model that `bench` times: random weights of a published size, or a folder's.
#pragma once

#include <memory>
#include <optional>

#include "app/cli/options.h"
#include "engine/model/decoder.h"
#include "engine/model/model_config.h"
#include "vision/qwen3_vl_tower.h"

namespace poplens::cli {

struct BenchModel {
  std::string name;
  ModelConfig config;  // its decoder cut to --layers
  int published_layers = 0;
  std::shared_ptr<Backend> backend;
  std::unique_ptr<Decoder> decoder;
  std::optional<Qwen3VlTower> tower;  // of Qwen3-VL, where a picture is asked for and --no-vision is not
};

// Refuses, with figures, what does not fit the memory that is free.
Result<BenchModel> open_bench_model(const BenchOptions& options);

}  // namespace poplens::cli
