// The first frame of a GIF file (GIF89a), checked.
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "vision/file_bytes.h"
#include "vision/image_format.h"

namespace poplens {

struct GifLayout {
  int width = 0, height = 0;              // of the whole picture, in pixels
  int frame_x = 0, frame_y = 0;           // where the first frame lies in it
  int frame_width = 0, frame_height = 0;  // at least one pixel a side
  size_t frame_at = 0;                    // where the first frame's header lies in the file
  size_t frame_end = 0;                   // where its data end
  bool has_transparent_color = false;     // in the first frame
  FileBytes palette;                      // the first frame's own, else the file's; [entries, 3]
};

// Walks the blocks up to the end of the first frame's data, which must be there.
Result<GifLayout> read_gif_layout(FileBytes file, std::string_view name);

Result<ImageInfo> read_gif_info(FileBytes file, std::string_view name);

}  // namespace poplens
