#include <cmath>
#include <limits>

#include <QtTest>

#include "engine/base/float_formats.h"

using namespace poplens;

class TestFloatFormats : public QObject {
  Q_OBJECT

 private slots:
  void f16_matches_the_format();
  void bf16_widens_and_narrows_without_change();
  void bf16_rounds_to_nearest_even();
};

void TestFloatFormats::f16_matches_the_format() {
  for (uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    const int exponent = static_cast<int>((bits >> 10) & 0x1F);
    const double fraction = static_cast<double>(bits & 0x3FF) / 1024;
    const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
    const float value = f32_from_f16(static_cast<uint16_t>(bits));
    if (exponent == 31 && fraction != 0) {
      QVERIFY(std::isnan(value));
      continue;
    }
    const double expected = exponent == 31  ? std::numeric_limits<double>::infinity()
                            : exponent == 0 ? std::ldexp(fraction, -14)
                                            : std::ldexp(1 + fraction, exponent - 15);
    QCOMPARE(static_cast<double>(value), sign * expected);
    QCOMPARE(std::signbit(value), sign < 0);
  }
}

void TestFloatFormats::bf16_widens_and_narrows_without_change() {
  for (uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    const float value = f32_from_bf16(static_cast<uint16_t>(bits));
    if (std::isnan(value)) {
      QVERIFY(std::isnan(f32_from_bf16(bf16_from_f32(value))));
    } else {
      QCOMPARE(static_cast<uint32_t>(bf16_from_f32(value)), bits);
    }
  }
}

void TestFloatFormats::bf16_rounds_to_nearest_even() {
  for (uint32_t low = 1; low < 0x7F80; ++low) {
    const auto narrow = static_cast<uint16_t>(low);
    const double below = f32_from_bf16(narrow);
    const double above = low + 1 == 0x7F80 ? std::ldexp(1.0, 128) : f32_from_bf16(static_cast<uint16_t>(narrow + 1));
    const auto half = static_cast<float>(below + (above - below) / 2);
    const auto next = static_cast<uint16_t>(narrow + 1);
    QCOMPARE(bf16_from_f32(half), (narrow & 1) == 0 ? narrow : next);
    QCOMPARE(bf16_from_f32(std::nextafter(half, 0.0F)), narrow);
    QCOMPARE(bf16_from_f32(-std::nextafter(half, std::numeric_limits<float>::infinity())),
             static_cast<uint16_t>(next | 0x8000));
  }
  const uint32_t hidden_nan = 0x7F800001;  // its upper half alone would be an infinity
  QVERIFY(std::isnan(f32_from_bf16(bf16_from_f32(std::bit_cast<float>(hidden_nan)))));
}

QTEST_APPLESS_MAIN(TestFloatFormats)
#include "tst_float_formats.moc"
