// poplens-cli pixels: what the vision tower is fed, into a file.
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/model_names.h"
#include "app/cli/npy.h"
#include "app/cli/request.h"
#include "vision/picture_encoder.h"

namespace poplens::cli {

using nlohmann::ordered_json;

Result<void> run_pixels(const PixelsOptions& options) {
  POPLENS_TRY(folder, find_model(options.common));
  POPLENS_CHECK(make_load_options(options.common));
  POPLENS_TRY(config, read_model_config(folder));
  POPLENS_TRY(picture, read_picture(options.image));
  POPLENS_TRY(pixels,
              read_picture_pixels(folder, config, picture, options.common.max_image_tokens, options.pan_and_scan));

  const std::vector<int64_t>& shape = pixels.shape;
  POPLENS_CHECK(write_npy(options.out, shape, pixels.values));
  const PictureGeometry& geometry = pixels.geometry;
  const int64_t crops = pixels.shape.size() == 4 ? pixels.shape[0] : 1;  // Gemma-3: [crops, 3, H, W]
  const int64_t soft_tokens = crops * geometry.soft_tokens();
  const int grid[] = {1, pixels.grid_h, pixels.grid_w};
  const int size[] = {geometry.width, geometry.height};
  const int model_size[] = {geometry.model_width, geometry.model_height};
  const ordered_json report = {
      {"shape", shape}, {"grid", grid}, {"soft_tokens", soft_tokens}, {"size", size}, {"model_size", model_size}};
  if (options.common.json) return print_json(report);
  return print_text(options.out + ": float32 " + report["shape"].dump() + ", grid " + report["grid"].dump() + ", " +
                    std::to_string(soft_tokens) + " soft tokens\n");
}

}  // namespace poplens::cli
