#include "tests/support/device_matrix.h"

#include <cmath>
#include <cstring>
#include <limits>

#include <QtGlobal>

namespace poplens::test {

namespace {

Buffer or_die(Result<Buffer> buffer) {
  if (!buffer.ok()) qFatal("%s", buffer.error().message.c_str());
  return std::move(buffer).value();
}

}  // namespace

DeviceMatrix::DeviceMatrix(Backend& backend, DType dtype, int64_t rows, int64_t cols, int64_t gap)
    : backend_(&backend), first_col_(gap / 2) {
  const int64_t stride = cols + gap;
  buffer_ = or_die(backend.allocate((rows + 2) * stride * size_of(dtype)));
  whole_ = {buffer_.data.get(), dtype, rows + 2, stride, stride};
  view_ = whole_.row_range(1, rows).col_range(first_col_, cols);
  const auto count = static_cast<size_t>(whole_.rows * whole_.cols);
  backend.write(std::vector<float>(count, std::numeric_limits<float>::quiet_NaN()), whole_);
}

DeviceMatrix::DeviceMatrix(Backend& backend, DType dtype, const Values& values, int64_t gap)
    : DeviceMatrix(backend, dtype, values.rows, values.cols, gap) {
  fill(values);
}

void DeviceMatrix::fill(const Values& values) {
  backend_->write(std::vector<float>(values.data.begin(), values.data.end()), view_);
}

Values DeviceMatrix::values() const {
  std::vector<float> host(static_cast<size_t>(view_.rows * view_.cols));
  backend_->read_back(view_, host);
  Values values(view_.rows, view_.cols);
  values.data.assign(host.begin(), host.end());
  return values;
}

bool DeviceMatrix::surroundings_untouched() const {
  std::vector<float> host(static_cast<size_t>(whole_.rows * whole_.cols));
  backend_->read_back(whole_, host);
  for (int64_t row = 0; row < whole_.rows; ++row) {
    for (int64_t col = 0; col < whole_.cols; ++col) {
      const bool inside = row >= 1 && row <= view_.rows && col >= first_col_ && col < first_col_ + view_.cols;
      if (!inside && !std::isnan(host[static_cast<size_t>(row * whole_.cols + col)])) return false;
    }
  }
  return true;
}

DeviceWeight::DeviceWeight(Backend& backend, DType dtype, const Values& values, int64_t gap) {
  const int64_t stride = values.cols + gap;
  const int64_t lead = gap;
  const int64_t bytes = (lead + values.rows * stride) * size_of(dtype);
  constexpr uint32_t kNaNInEveryFormat = 0xFFFFFFFF;
  host_ = std::make_shared<std::vector<uint32_t>>(static_cast<size_t>(bytes / 4 + 1), kNaNInEveryFormat);
  const Matrix host = Matrix{host_->data(), dtype, values.rows, values.cols, stride}.col_range(lead, values.cols);
  for (int64_t row = 0; row < values.rows; ++row) {
    for (int64_t col = 0; col < values.cols; ++col) {
      const uint32_t bits = bits_of(values.at(row, col), dtype);  // little-endian: the low half comes first
      std::memcpy(host.row_range(row, 1).col_range(col, 1).data, &bits, static_cast<size_t>(size_of(dtype)));
    }
  }
  buffer_ = or_die(backend.import(host, host_));
  view_ = {buffer_.data.get(), dtype, host.rows, host.cols, host.stride};
}

}  // namespace poplens::test
