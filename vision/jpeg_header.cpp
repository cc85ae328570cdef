#include "vision/jpeg_header.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "vision/image_error.h"
#include "vision/orientation.h"

namespace poplens {

namespace {

constexpr std::string_view kExif{"Exif\0\0", 6};
constexpr std::string_view kXmp{"http://ns.adobe.com/xap/1.0/\0", 29};


constexpr uint8_t kEndOfImage = 0xd9, kStartOfScan = 0xda;

bool stands_alone(uint8_t marker) {
  return marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

bool is_frame_header(uint8_t marker) {
  return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

struct Walker {
  FileBytes file;
  std::string_view name;
  size_t at = 2;  // past the start-of-image marker
  JpegLayout jpeg;
  std::optional<int> exif, xmp;
  size_t blocks = 0;      // 8 x 8 blocks of all components
  size_t scan_bytes = 0;  // entropy-coded bytes so far
  int scans = 0;

  Result<uint8_t> next_marker();
  Result<FileBytes> segment();
  Result<void> read_frame_header(uint8_t marker, FileBytes body);
  void read_metadata(uint8_t marker, FileBytes body);
  Result<void> read_tables_until_scan();
  bool skip_scan_data();
};

// Moves past the next marker. Bytes that belong to no segment are skipped, as libjpeg does.
Result<uint8_t> Walker::next_marker() {
  for (;;) {
    if (at >= file.size()) return image_cut_off(name);
    const void* found = std::memchr(file.data() + at, 0xff, file.size() - at);
    if (found == nullptr) return image_cut_off(name);
    at = static_cast<const std::byte*>(found) - file.data();
    while (at < file.size() && read_u8(file, at) == 0xff) ++at;
    if (at >= file.size()) return image_cut_off(name);
    if (const uint8_t marker = read_u8(file, at++); marker != 0) return marker;
  }
}

// The body of the segment whose marker was just read; moves past it.
Result<FileBytes> Walker::segment() {
  if (!holds(file, at, 2)) return image_cut_off(name);
  const size_t length = read_be16(file, at);
  if (length < 2) return image_error(name, "a damaged JPEG: a segment states a length below 2 bytes");
  if (!holds(file, at, length)) return image_cut_off(name);
  const FileBytes body = file.subspan(at + 2, length - 2);
  at += length;
  return body;
}

Result<void> Walker::read_frame_header(uint8_t marker, FileBytes body) {
  if (jpeg.components != 0) return image_error(name, "a damaged JPEG: it has two frame headers");
  if (marker > 0xc2) return image_error(name, "a lossless, hierarchical or arithmetic-coded JPEG, which is not read");
  if (body.size() < 6 || body.size() != 6 + 3u * read_u8(body, 5))
    return image_error(name, "a damaged JPEG: its frame header has the wrong length");
  if (read_u8(body, 0) != 8)
    return image_error(name, "a JPEG with " + std::to_string(read_u8(body, 0)) + " bits a sample; only 8 are read");
  POPLENS_CHECK(check_image_size(name, read_be16(body, 3), read_be16(body, 1)));
  jpeg.height = read_be16(body, 1);
  jpeg.width = read_be16(body, 3);
  jpeg.components = read_u8(body, 5);
  jpeg.progressive = marker == 0xc2;
  if (jpeg.components != 1 && jpeg.components != 3 && jpeg.components != 4)
    return image_error(name,
                       "a JPEG with " + std::to_string(jpeg.components) + " colour components; 1, 3 and 4 are read");

  int most_h = 1, most_v = 1;
  const auto sampling = [&](int component) {
    const uint8_t factors = read_u8(body, 7 + 3 * static_cast<size_t>(component));
    return std::pair<int, int>(factors >> 4, factors & 15);
  };
  for (int c = 0; c < jpeg.components; ++c) {
    const auto [h, v] = sampling(c);
    if (h < 1 || h > 4 || v < 1 || v > 4) return image_error(name, "a damaged JPEG: a sampling factor is not 1 to 4");
    most_h = std::max(most_h, h);
    most_v = std::max(most_v, v);
  }
  for (int c = 0; c < jpeg.components; ++c) {
    const auto [h, v] = sampling(c);
    const size_t columns = (static_cast<size_t>(jpeg.width) * h + 8 * most_h - 1) / (8 * most_h);
    const size_t rows = (static_cast<size_t>(jpeg.height) * v + 8 * most_v - 1) / (8 * most_v);
    blocks += columns * rows;
  }
  return {};
}

void Walker::read_metadata(uint8_t marker, FileBytes body) {
  constexpr uint8_t kApp1 = 0xe1;
  if (marker != kApp1) return;
  if (!exif && has_tag(body, 0, kExif)) exif = exif_orientation(body.subspan(kExif.size()));
  if (!xmp && has_tag(body, 0, kXmp)) xmp = xmp_orientation(body.subspan(kXmp.size()));
}

// Reads segments up to and including the header of the next scan, or up to the end marker (then `at` stays on it).
Result<void> Walker::read_tables_until_scan() {
  for (;;) {
    POPLENS_TRY(marker, next_marker());
    if (stands_alone(marker)) continue;
    if (marker == kEndOfImage) {
      at -= 2;
      return {};
    }
    POPLENS_TRY(body, segment());
    if (is_frame_header(marker)) POPLENS_CHECK(read_frame_header(marker, body));
    read_metadata(marker, body);
    if (marker == kStartOfScan) {
      if (jpeg.components == 0) return image_error(name, "a damaged JPEG: its frame header is missing");
      ++scans;
      return {};
    }
  }
}

// Moves to the marker that ends the scan; false if the file ends first.
bool Walker::skip_scan_data() {
  const size_t begin = at;
  while (at + 1 < file.size()) {
    const void* found = std::memchr(file.data() + at, 0xff, file.size() - 1 - at);
    if (found == nullptr) break;
    at = static_cast<const std::byte*>(found) - file.data();
    const uint8_t next = read_u8(file, at + 1);
    const bool is_data = next == 0 || (next >= 0xd0 && next <= 0xd7);
    if (!is_data && next != 0xff) {
      scan_bytes += at - begin;
      return true;
    }
    at += next == 0xff ? 1 : 2;
  }
  return false;
}

}  // namespace

Result<JpegLayout> read_jpeg_layout(FileBytes file, std::string_view name) {
  Walker walker{.file = file, .name = name, .jpeg = {}, .exif = {}, .xmp = {}};
  POPLENS_CHECK(walker.read_tables_until_scan());
  if (walker.scans == 0) return image_error(name, "a damaged JPEG: it has no picture data");
  walker.jpeg.orientation = walker.exif.value_or(walker.xmp.value_or(1));
  return walker.jpeg;
}

Result<JpegLayout> check_whole_jpeg(FileBytes file, std::string_view name) {
  Walker walker{.file = file, .name = name, .jpeg = {}, .exif = {}, .xmp = {}};
  for (int scans = 0;; scans = walker.scans) {
    POPLENS_CHECK(walker.read_tables_until_scan());
    if (walker.scans == scans) break;
    // A scan of a few bytes makes the decoder visit every block, so many of them are a way to stall it.
    constexpr int kMaxScans = 100;
    if (walker.scans > kMaxScans)
      return image_error(name, "a damaged JPEG: it has more than " + std::to_string(kMaxScans) + " scans");
    if (!walker.skip_scan_data()) return image_cut_off(name);
  }
  if (walker.scans == 0) return image_error(name, "a damaged JPEG: it has no picture data");
  // A block takes at least one bit for its first coefficient and, unless progressive, one for the end of the others.
  const size_t least_bits = walker.blocks * (walker.jpeg.progressive ? 1 : 2);
  if (walker.scan_bytes < least_bits / 8)
    return image_error(name, "a damaged JPEG: its " + std::to_string(walker.scan_bytes) +
                                 " bytes of data cannot hold " + std::to_string(walker.jpeg.width) + " x " +
                                 std::to_string(walker.jpeg.height) + " pixels");
  walker.jpeg.orientation = walker.exif.value_or(walker.xmp.value_or(1));
  return walker.jpeg;
}

Result<ImageInfo> read_jpeg_info(FileBytes file, std::string_view name) {
  POPLENS_TRY(jpeg, read_jpeg_layout(file, name));
  return ImageInfo{ImageFormat::jpeg, jpeg.width, jpeg.height, jpeg.orientation};
}

}  // namespace poplens
