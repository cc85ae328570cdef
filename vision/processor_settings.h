// What the families' picture processors read alike from a model folder's settings.
#pragma once

#include <array>
#include <filesystem>

#include "engine/base/json_file.h"
#include "engine/base/result.h"
#include "vision/resample_weights.h"

namespace poplens {

// processor_config.json's `image_processor` if it is there (transformers 5), else preprocessor_config.json.
Result<JsonObject> read_processor_settings(const std::filesystem::path& folder);

// Fails if the settings switch off resizing, rescaling or normalising.
Result<void> check_processor_steps(const JsonObject& settings);

// `resample` as PIL numbers it: 2 bilinear, 3 bicubic.
Result<Filter> read_filter(const JsonObject& settings, Filter class_default);

// The normalised value of every 8-bit value of every channel: (value * rescale_factor - mean) / std, in the single
// precision steps of the reference.
using NormalisedValues = std::array<std::array<float, 256>, 3>;
Result<NormalisedValues> read_normalised_values(const JsonObject& settings, const std::array<double, 3>& default_mean,
                                                const std::array<double, 3>& default_deviation);

}  // namespace poplens
