// The sentences that every reader of picture files shares.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "vision/image_format.h"

namespace poplens {

// "name: what"
Error image_error(std::string_view name, std::string_view what);

// The file ends before the picture does.
Error image_cut_off(std::string_view name);

// The file's segments are right, but a decoder did not get through its data.
Error undecodable(std::string_view name, ImageFormat format);

// Nothing if a picture of `width` x `height` pixels may be decoded; else a sentence with the figures.
Result<void> check_image_size(std::string_view name, long long width, long long height);

}  // namespace poplens
