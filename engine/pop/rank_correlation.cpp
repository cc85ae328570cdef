#include "engine/pop/rank_correlation.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace poplens {
namespace {

std::vector<double> ranks(std::span<const double> values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> result(values.size());
  for (size_t i = 0; i < order.size();) {
    size_t end = i + 1;
    while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
    const double shared = static_cast<double>(i + end - 1) / 2.0;
    for (; i < end; ++i) result[order[i]] = shared;
  }
  return result;
}

}  // namespace

double spearman(std::span<const double> a, std::span<const double> b) {
  const std::vector<double> x = ranks(a), y = ranks(b);
  const double mean = (static_cast<double>(x.size()) - 1.0) / 2.0;
  double xy = 0.0, xx = 0.0, yy = 0.0;
  for (size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
  }
  return xx > 0.0 && yy > 0.0 ? xy / std::sqrt(xx * yy) : 0.0;
}

}  // namespace poplens
