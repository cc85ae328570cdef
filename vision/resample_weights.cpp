#include "vision/resample_weights.h"

#include <algorithm>
#include <cmath>

namespace poplens {

// NOLINTBEGIN(bugprone-incorrect-roundings): the reference rounds so, and its weights are met to the bit.
namespace {

double bilinear(double x) {
  return std::max(0.0, 1.0 - std::fabs(x));
}

double bicubic(double x) {
  constexpr double a = -0.5;
  x = std::fabs(x);
  if (x < 1.0) return ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0;
  if (x < 2.0) return (((x - 5.0) * x + 8.0) * x - 4.0) * a;
  return 0.0;
}

// The most fractional bits (22 at most) with which the largest weight still fits an int16.
int weight_precision(double largest) {
  int precision = 0;
  while (precision < 22 && static_cast<int>(0.5 + largest * (1 << (precision + 1))) < (1 << 15)) ++precision;
  return precision;
}

}  // namespace

ResampleWeights resample_weights(int inputs, int outputs, Filter filter) {
  const auto kernel = filter == Filter::bicubic ? bicubic : bilinear;
  const double scale = static_cast<double>(inputs) / outputs;
  const double widening = std::max(scale, 1.0);
  const double inverse_widening = scale >= 1.0 ? 1.0 / scale : 1.0;
  const double support = (filter == Filter::bicubic ? 2.0 : 1.0) * widening;

  ResampleWeights result;
  result.taps = static_cast<int>(std::ceil(support)) * 2 + 1;
  result.first.resize(outputs);
  result.count.resize(outputs);
  std::vector<double> exact(static_cast<size_t>(outputs) * result.taps, 0.0);
  double largest = 0.0;
  for (int i = 0; i < outputs; ++i) {
    const double centre = scale * (i + 0.5);
    const int first = std::max(static_cast<int>(centre - support + 0.5), 0);
    const int count = std::min({static_cast<int>(centre + support + 0.5), inputs, first + result.taps}) - first;
    double* row = exact.data() + static_cast<size_t>(i) * result.taps;
    double sum = 0.0;
    for (int k = 0; k < count; ++k) sum += row[k] = kernel((k + first - centre + 0.5) * inverse_widening);
    for (int k = 0; k < count; ++k) {
      if (sum != 0.0) row[k] /= sum;
      largest = std::max(largest, row[k]);
    }
    result.first[i] = first;
    result.count[i] = count;
  }

  result.precision = weight_precision(largest);
  result.weights.resize(exact.size());
  for (size_t i = 0; i < exact.size(); ++i) {
    const double scaled = exact[i] * (1 << result.precision);
    result.weights[i] = static_cast<int16_t>(scaled < 0.0 ? scaled - 0.5 : scaled + 0.5);
  }
  return result;
}
// NOLINTEND(bugprone-incorrect-roundings)

}  // namespace poplens
