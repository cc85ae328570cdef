#include "tests/support/compare.h"

#include <bit>
#include <cmath>

namespace poplens::test {

namespace {

// `wrong(i)`: whether element i is; `expected(i)`: what it should be, in words.
template <typename Wrong, typename Expected>
QString first_difference(const Values& got, const Values& want, const Wrong& wrong, const Expected& expected) {
  if (got.rows != want.rows || got.cols != want.cols) return "shapes differ";
  qsizetype count = 0;
  QString first;
  for (size_t i = 0; i < got.data.size(); ++i) {
    if (!wrong(i)) continue;
    if (count++ == 0) {
      const auto at = static_cast<int64_t>(i);
      first = QString("[%1, %2] is %3, not %4")
                  .arg(at / got.cols)
                  .arg(at % got.cols)
                  .arg(got.data[i], 0, 'g', 9)
                  .arg(expected(i));
    }
  }
  if (count == 0) return {};
  return QString("%1 of %2 values differ; %3").arg(count).arg(got.data.size()).arg(first);
}

}  // namespace

QString difference(const Values& got, const Reference& want) {
  return first_difference(
      got, want.value, [&](size_t i) { return !(std::fabs(got.data[i] - want.value.data[i]) <= want.bound.data[i]); },
      [&](size_t i) {
        return QString("%1 within %2").arg(want.value.data[i], 0, 'g', 9).arg(want.bound.data[i], 0, 'g', 3);
      });
}

QString bit_difference(const Values& got, const Values& want) {
  return first_difference(
      got, want,
      [&](size_t i) { return std::bit_cast<uint64_t>(got.data[i]) != std::bit_cast<uint64_t>(want.data[i]); },
      [&](size_t i) { return QString::number(want.data[i], 'g', 9); });
}

}  // namespace poplens::test
