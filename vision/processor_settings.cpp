#include "vision/processor_settings.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace poplens {
namespace {

Result<std::array<double, 3>> read_channels(const JsonObject& settings, const std::string& key,
                                            std::array<double, 3> class_default) {
  if (!settings.has(key)) return class_default;
  const auto& list = settings.value().at(key);
  if (!list.is_array() || list.size() != 3)
    return Error{settings.where() + ": '" + key + "' is not a list of 3 numbers"};
  std::array<double, 3> channels;
  for (size_t c = 0; c < 3; ++c) {
    if (!list[c].is_number() || !std::isfinite(list[c].get<double>()))
      return Error{settings.where() + ": '" + key + "' is not a list of 3 numbers"};
    channels[c] = list[c].get<double>();
  }
  return channels;
}

}  // namespace

Result<JsonObject> read_processor_settings(const std::filesystem::path& folder) {
  const auto nested = folder / "processor_config.json", flat = folder / "preprocessor_config.json";
  std::error_code ignored;
  if (std::filesystem::exists(nested, ignored)) {
    POPLENS_TRY(file, read_json_file(nested));
    if (file.has("image_processor")) return file.object("image_processor");
  }
  return read_json_file(flat);
}

Result<void> check_processor_steps(const JsonObject& settings) {
  for (const char* step : {"do_resize", "do_rescale", "do_normalize"}) {
    POPLENS_TRY(wanted, settings.boolean(step, true));
    if (!wanted) return Error{settings.where() + ": '" + step + "' is false, which is not supported"};
  }
  return {};
}

Result<Filter> read_filter(const JsonObject& settings, Filter class_default) {
  constexpr int kBilinear = 2, kBicubic = 3;  // PIL.Image.Resampling
  POPLENS_TRY(resample, settings.integer("resample", 0, 5, class_default == Filter::bilinear ? kBilinear : kBicubic));
  if (resample == kBilinear) return Filter::bilinear;
  if (resample == kBicubic) return Filter::bicubic;
  return Error{settings.where() + ": 'resample' is " + std::to_string(resample) +
               "; only 2 (bilinear) and 3 (bicubic) are supported"};
}

Result<NormalisedValues> read_normalised_values(const JsonObject& settings, const std::array<double, 3>& default_mean,
                                                const std::array<double, 3>& default_deviation) {
  POPLENS_TRY(mean, read_channels(settings, "image_mean", default_mean));
  POPLENS_TRY(deviation, read_channels(settings, "image_std", default_deviation));
  POPLENS_TRY(rescale, settings.number("rescale_factor", 1.0 / 255.0));
  if (rescale <= 0.0) return Error{settings.where() + ": 'rescale_factor' is not above 0"};

  NormalisedValues normalised{};
  for (size_t c = 0; c < 3; ++c) {
    // As in the reference, in float32: scale mean and deviation up instead of the pixels down.
    const float scale = static_cast<float>(1.0 / rescale);
    const float scaled_mean = static_cast<float>(mean[c]) * scale;
    const float scaled_deviation = static_cast<float>(deviation[c]) * scale;
    if (!(std::fabs(scaled_deviation) > 0.0f)) return Error{settings.where() + ": 'image_std' holds a 0"};
    for (size_t value = 0; value < 256; ++value)
      normalised[c][value] = (static_cast<float>(value) - scaled_mean) / scaled_deviation;
  }
  return normalised;
}

}  // namespace poplens
