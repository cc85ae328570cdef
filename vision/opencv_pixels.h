// OpenCV's decoder as a function without exceptions and without messages. Only this room's .cpp files include it.
#pragma once

#include <string_view>

#include <opencv2/imgcodecs.hpp>

#include "engine/base/result.h"
#include "vision/image.h"
#include "vision/image_format.h"

namespace poplens {

inline constexpr int kOpenCvColor = cv::IMREAD_COLOR | cv::IMREAD_IGNORE_ORIENTATION;  // BGR, 8 bits, alpha dropped

// What OpenCV makes of the whole file, which must have the size that `info` says. `flags`: cv::ImreadModes. Throws
// std::bad_alloc.
Result<cv::Mat> opencv_pixels(FileBytes file, std::string_view name, const ImageInfo& info, int flags);

// 8-bit grey, BGR or BGRA samples to RGB on white.
Result<Image> image_from_bgr(cv::Mat pixels, std::string_view name, ImageFormat format);

}  // namespace poplens
