// The attention of every backend against double precision.
#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include <QtTest>

#include "tests/engine/backend/attention_masks.h"
#include "tests/engine/backend/conformance_test.h"
#include "tests/support/compare.h"
#include "tests/support/device_matrix.h"
#include "tests/support/reference_ops.h"

using namespace poplens;
using namespace poplens::test;

namespace {

struct Inputs {
  Values q;  // [rows, heads * head_dim]
  Values k;  // [keys, kv_heads * head_dim]
  Values v;
};

Inputs random_inputs(const AttentionShape& shape, int rows, int keys, DType type) {
  return {random_values(rows, shape.heads * shape.head_dim, 1.5, type, 1),
          random_values(keys, shape.kv_heads * shape.head_dim, 1.5, type, 2),
          random_values(keys, shape.kv_heads * shape.head_dim, 1.0, type, 3)};
}

// A key or value cache that is longer than its contents; what lies behind them is NaN.
struct Cache {
  Backend* backend;
  DeviceMatrix device;
  int64_t rows = 0;

  Cache(Backend& owner, DType type, int64_t most_rows, int64_t cols)
      : backend(&owner), device(owner, type, most_rows + 70, cols) {}

  // Grows to the first `count` rows of `values`.
  void fill(const Values& values, int64_t count) {
    const Values added = values.row_range(rows, count - rows);
    backend->write(std::vector<float>(added.data.begin(), added.data.end()), device.view().row_range(rows, added.rows));
    rows = count;
  }
  ConstMatrix view() const { return device.view().row_range(0, rows); }
};

}  // namespace

class TestConformanceAttention : public ConformanceTest {
  Q_OBJECT

 private slots:
  void initTestCase() { QVERIFY2(!backends_.names().empty(), "no backend runs on this machine"); }
  void head_widths_data() { each_backend(); }
  void head_widths();
  void grouped_heads_data() { each_backend(); }
  void grouped_heads();
  void key_counts_data() { each_backend(); }
  void key_counts();
  void masks_and_row_counts_data() { each_backend(); }
  void masks_and_row_counts();
  void long_context_data() { each_backend(); }
  void long_context();
  void extreme_scores_data() { each_backend(); }
  void extreme_scores();
  void columns_of_one_matrix_data() { each_backend(); }
  void columns_of_one_matrix();
  void same_bits_for_any_rows_and_threads_data() { each_backend(); }
  void same_bits_for_any_rows_and_threads();

 private:
  // What is wrong with the backend's result, in every combination of types; empty: nothing.
  QString check(
      const AttentionShape& shape, int rows, int keys, Mask mask,
      const std::function<void(Inputs&)>& change = [](Inputs&) {});
};

QString TestConformanceAttention::check(const AttentionShape& shape, int rows, int keys, Mask mask,
                                        const std::function<void(Inputs&)>& change) {
  const std::vector<KeyRange> ranges = ranges_of(mask, rows, keys);
  for (const DType type : kActivationTypes) {
    Inputs inputs = random_inputs(shape, rows, keys, type);
    change(inputs);
    for (Values* values : {&inputs.q, &inputs.k, &inputs.v}) {
      for (double& value : values->data) value = rounded(value, type);
    }
    const Reference exact = test::attention(shape, inputs.q, inputs.k, inputs.v, type, ranges);
    const DeviceMatrix q(backend(), type, inputs.q);
    Cache k(backend(), type, keys, inputs.k.cols);
    Cache v(backend(), type, keys, inputs.v.cols);
    k.fill(inputs.k, keys);
    v.fill(inputs.v, keys);
    for (const DType out_type : kActivationTypes) {
      DeviceMatrix out(backend(), out_type, rows, inputs.q.cols);
      backend().attention(shape, q.view(), k.view(), v.view(), ranges, out.view());
      const QString wrong = difference(out.values(), stored(exact, out_type));
      const QString label = QString("%1 -> %2: ").arg(name_of(type), name_of(out_type));
      if (!wrong.isEmpty()) return label + wrong;
      if (!out.surroundings_untouched()) return label + "wrote outside its result";
    }
  }
  return {};
}

void TestConformanceAttention::head_widths() {
  for (const int head_dim : {4, 8, 12, 16, 20, 24, 36, 40, 64, 72, 80, 96, 128, 160, 256}) {
    for (const int rows : {1, 7, 45}) {
      const QString label = QString("heads of %1, %2 rows: ").arg(head_dim).arg(rows);
      QCOMPARE(label + check(shape_of(4, 2, head_dim), rows, 45, causal), label);
    }
  }
}

void TestConformanceAttention::grouped_heads() {
  const std::pair<int, int> pairs[] = {{1, 1}, {2, 1}, {3, 3}, {4, 1}, {5, 1}, {6, 3}, {8, 2}, {9, 3}, {16, 8}};
  for (const auto& [heads, kv_heads] : pairs) {
    for (const int rows : {1, 9}) {
      const QString label = QString("%1 heads on %2, %3 rows: ").arg(heads).arg(kv_heads).arg(rows);
      QCOMPARE(label + check(shape_of(heads, kv_heads, 16), rows, 80, causal), label);
    }
  }
}

// One key more or less than blocks of any likely size.
void TestConformanceAttention::key_counts() {
  for (const int block : {1, 8, 16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024}) {
    for (const int keys : {block - 1, block, block + 1}) {
      if (keys < 1) continue;
      for (const NamedMask& named : kMasks) {
        const QString label = QString("%1, %2 keys: ").arg(named.name).arg(keys);
        QCOMPARE(label + check(shape_of(2, 1, 16), std::min(keys, 3), keys, named.mask), label);
      }
    }
  }
}

void TestConformanceAttention::masks_and_row_counts() {
  for (const NamedMask& named : kMasks) {
    for (const int64_t rows : kRowCounts) {
      for (const int keys : {static_cast<int>(rows), 133, 210}) {
        const QString label = QString("%1, %2 rows, %3 keys: ").arg(named.name).arg(rows).arg(keys);
        QCOMPARE(label + check(shape_of(6, 3, 24), static_cast<int>(rows), keys, named.mask), label);
      }
    }
  }
}

void TestConformanceAttention::long_context() {
  for (const int rows : {1, 5}) {
    for (const Mask mask : {causal, middle}) {
      const QString label = QString("%1 rows: ").arg(rows);
      QCOMPARE(label + check(shape_of(8, 2, 64), rows, 4099, mask), label);
    }
  }
}

// Exponentials of these scores leave f32's range in both directions unless the greatest is taken off first, and the
// greatest so far keeps changing on the way through the keys.
void TestConformanceAttention::extreme_scores() {
  const AttentionShape shape = shape_of(4, 2, 32);
  constexpr int kKeys = 300;
  // Score of key j for every query: slope * j + offset.
  const auto line = [](double slope, double offset) {
    return [slope, offset](Inputs& inputs) {
      const double size = std::sqrt(32.0);  // undoes the scale
      for (double& value : inputs.q.data) value = 0;
      for (int64_t i = 0; i < inputs.q.rows; ++i) {
        for (int64_t col = 0; col < inputs.q.cols; col += 32) inputs.q.at(i, col) = size;
      }
      for (int64_t j = 0; j < inputs.k.rows; ++j) {
        for (int64_t col = 0; col < inputs.k.cols; col += 32) {
          inputs.k.at(j, col) = slope * static_cast<double>(j) + offset;
        }
      }
    };
  };
  const std::pair<const char*, std::function<void(Inputs&)>> cases[] = {
      {"rising", line(2.0, -300.0)},
      {"falling", line(-2.0, 300.0)},
      {"all high", line(0.01, 500.0)},
      {"all low", line(0.01, -500.0)},
      {"rising by a little", line(0.02, 0.0)},
      {"random, large",
       [](Inputs& inputs) {
         for (double& value : inputs.q.data) value *= 60;
       }},
      {"large values",
       [](Inputs& inputs) {
         for (double& value : inputs.v.data) value *= 1e6;
       }},
      {"all the same",
       [](Inputs& inputs) {
         for (double& value : inputs.k.data) value = 0.25;
       }},
  };
  for (const auto& [name, change] : cases) {
    for (const NamedMask& named : std::span(kMasks).first(3)) {
      for (const int rows : {1, 3, 40}) {
        const QString label = QString("%1, %2, %3 rows: ").arg(name, named.name).arg(rows);
        QCOMPARE(label + check(shape, rows, kKeys, named.mask, change), label);
      }
    }
  }
}

// A vision tower's: queries, keys and values side by side, all seeing all.
void TestConformanceAttention::columns_of_one_matrix() {
  constexpr int kRows = 77;
  for (const int head_dim : {16, 36, 64, 72}) {
    const AttentionShape shape = shape_of(3, 3, head_dim);
    const int64_t width = 3 * head_dim;
    for (const DType type : kActivationTypes) {
      const Inputs inputs = random_inputs(shape, kRows, kRows, type);
      const DeviceMatrix qkv(backend(), type, kRows, 3 * width);
      const Values* columns[] = {&inputs.q, &inputs.k, &inputs.v};
      Matrix views[3];
      for (int i = 0; i < 3; ++i) {
        views[i] = qkv.view().col_range(i * width, width);
        backend().write(std::vector<float>(columns[i]->data.begin(), columns[i]->data.end()), views[i]);
      }
      for (const Mask mask : {everything, segments}) {
        const std::vector<KeyRange> ranges = ranges_of(mask, kRows, kRows);
        DeviceMatrix out(backend(), type, kRows, width);
        backend().attention(shape, views[0], views[1], views[2], ranges, out.view());
        const Reference want = stored(test::attention(shape, inputs.q, inputs.k, inputs.v, type, ranges), type);
        QCOMPARE(difference(out.values(), want), QString());
        QVERIFY(out.surroundings_untouched());
      }
    }
  }
}

void TestConformanceAttention::same_bits_for_any_rows_and_threads() {
  constexpr int kRows = kMostRows;
  constexpr int kKeys = 600;
  for (const AttentionShape& shape : {shape_of(4, 1, 64), shape_of(2, 2, 36), shape_of(1, 1, 128)}) {
    // What a mask can do to a row's bits does not depend on the head's width.
    const std::span<const NamedMask> masks = std::span(kMasks).subspan(shape.head_dim == 64 ? 0 : 4);
    for (const DType type : kActivationTypes) {
      for (const NamedMask& named : masks) {
        const Inputs inputs = random_inputs(shape, kRows, kKeys, type);
        const std::vector<KeyRange> ranges = ranges_of(named.mask, kRows, kKeys);

        // With caches that grow by what each call sees: a prefill as it really goes.
        const auto result = [&](const Cut& cut) {
          Backend& device = backend(cut.threads);
          const DeviceMatrix q(device, type, inputs.q);
          Cache k(device, type, kKeys, inputs.k.cols);
          Cache v(device, type, kKeys, inputs.v.cols);
          DeviceMatrix out(device, DType::f32, kRows, inputs.q.cols);
          int64_t first = 0;
          for (const int64_t count : cut.row_counts) {
            const auto part = std::span(ranges).subspan(static_cast<size_t>(first), static_cast<size_t>(count));
            k.fill(inputs.k, part.back().end);
            v.fill(inputs.v, part.back().end);
            device.attention(shape, q.view().row_range(first, count), k.view(), v.view(), part,
                             out.view().row_range(first, count));
            first += count;
          }
          return out.values();
        };

        const Values whole = result({1, {kRows}});
        for (const Cut& cut : row_cuts()) {
          const QString label = QString("%1, %2, heads of %3, %4 threads, %5 calls: ")
                                    .arg(named.name, name_of(type))
                                    .arg(shape.head_dim)
                                    .arg(cut.threads)
                                    .arg(cut.row_counts.size());
          QCOMPARE(label + bit_difference(result(cut), whole), label);
        }
      }
    }
  }
}

QTEST_APPLESS_MAIN(TestConformanceAttention)
#include "tst_conformance_attention.moc"
