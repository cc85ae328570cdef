// The matrix products of every backend against double precision.
#include <algorithm>
#include <cmath>

#include <QtTest>

#include "tests/engine/backend/conformance_test.h"
#include "tests/support/compare.h"
#include "tests/support/device_matrix.h"
#include "tests/support/reference_ops.h"

using namespace poplens;
using namespace poplens::test;

namespace {

struct Size {
  int64_t k;
  int64_t n;
};
constexpr Size kSizes[] = {{1, 1},    {2, 5},     {5, 3},    {16, 16},   {31, 17},  {64, 48},
                           {100, 37}, {257, 129}, {512, 33}, {1000, 70}, {40, 1111}};

Values random_weight(Size size, DType type, uint32_t seed) {
  return random_values(size.n, size.k, 1 / std::sqrt(static_cast<double>(size.k)), type, seed);
}

// A matrix that several results are written into, with what it should hold in the end.
struct Target {
  DeviceMatrix device;
  Values old;
  Reference want;

  Target(Backend& backend, DType type, int64_t rows, int64_t cols, uint32_t seed)
      : device(backend, type, rows, cols),
        old(random_values(rows, cols, 1.0, type, seed)),
        want{old, Values(rows, cols)} {
    device.fill(old);
  }

  Matrix part(int64_t row, int64_t rows, int64_t col, int64_t cols) const {
    return device.view().row_range(row, rows).col_range(col, cols);
  }
  // `result` belongs at (row, col).
  void expect(const Reference& result, int64_t row, int64_t col, bool accumulate) {
    const Values before = old.row_range(row, result.value.rows).col_range(col, result.value.cols);
    const Reference final = stored(result, device.view().dtype, accumulate ? &before : nullptr);
    for (int64_t i = 0; i < result.value.rows; ++i) {
      for (int64_t j = 0; j < result.value.cols; ++j) {
        want.value.at(row + i, col + j) = final.value.at(i, j);
        want.bound.at(row + i, col + j) = final.bound.at(i, j);
      }
    }
  }
};

QString label_of(DType x_type, DType weight_type, DType out_type, Size size, int64_t rows) {
  return QString("%1 x %2 -> %3, k = %4, n = %5, %6 rows: ")
      .arg(name_of(x_type), name_of(weight_type), name_of(out_type))
      .arg(size.k)
      .arg(size.n)
      .arg(rows);
}

}  // namespace

class TestConformanceMatmul : public ConformanceTest {
  Q_OBJECT

 private slots:
  void initTestCase() { QVERIFY2(!backends_.names().empty(), "no backend runs on this machine"); }
  void plain_data() { each_backend(); }
  void plain();
  void transposed_data() { each_backend(); }
  void transposed();
  void parts_data() { each_backend(); }
  void parts();
  void gated_data() { each_backend(); }
  void gated();
  void activations_data() { each_backend(); }
  void activations();
  void same_bits_for_any_rows_and_threads_data() { each_backend(); }
  void same_bits_for_any_rows_and_threads();
};

void TestConformanceMatmul::plain() {
  for (const DType x_type : kActivationTypes) {
    for (const DType weight_type : kWeightTypes) {
      for (const Size size : kSizes) {
        const Values x = random_values(kMostRows, size.k, 1.0, x_type, 1);
        const Values weight = random_weight(size, weight_type, 2);
        const Reference exact = linear(x, x_type, weight, weight_type, {});
        const DeviceWeight device_weight(backend(), weight_type, weight);
        for (const int64_t rows : kRowCounts) {
          const DeviceMatrix device_x(backend(), x_type, x.row_range(0, rows));
          for (const DType out_type : kActivationTypes) {
            DeviceMatrix out(backend(), out_type, rows, size.n);
            const MatmulPart part{.weight = device_weight.view(), .out = out.view()};
            backend().matmul(device_x.view(), {&part, 1});
            const Reference want = stored({exact.value.row_range(0, rows), exact.bound.row_range(0, rows)}, out_type);
            const QString label = label_of(x_type, weight_type, out_type, size, rows);
            QCOMPARE(label + difference(out.values(), want), label);
            QVERIFY(out.surroundings_untouched());
          }
        }
      }
    }
  }
}

// The way back through a product: x · weight with the weight as it is stored for the way there.
void TestConformanceMatmul::transposed() {
  for (const DType x_type : kActivationTypes) {
    for (const DType weight_type : kWeightTypes) {
      for (const Size size : {Size{1, 1}, Size{31, 17}, Size{100, 37}, Size{257, 129}, Size{600, 40}}) {
        const Values x = random_values(33, size.k, 1.0, x_type, 1);
        const Values weight = random_weight(size, weight_type, 2);
        Values stored_weight(size.k, size.n);
        for (int64_t i = 0; i < size.k; ++i) {
          for (int64_t j = 0; j < size.n; ++j) stored_weight.at(i, j) = weight.at(j, i);
        }
        const Reference exact = linear(x, x_type, weight, weight_type, {});
        const DeviceWeight device_weight(backend(), weight_type, stored_weight);
        for (const int64_t rows : {1, 7, 33}) {
          const DeviceMatrix device_x(backend(), x_type, x.row_range(0, rows));
          for (const bool accumulate : {false, true}) {
            Target out(backend(), DType::f32, rows, size.n, 3);
            const MatmulPart part{
                .weight = device_weight.view(), .out = out.device.view(), .accumulate = accumulate, .transposed = true};
            backend().matmul(device_x.view(), {&part, 1});
            out.expect({exact.value.row_range(0, rows), exact.bound.row_range(0, rows)}, 0, 0, accumulate);
            const QString label = label_of(x_type, weight_type, DType::f32, size, rows);
            QCOMPARE(label + difference(out.device.values(), out.want), label);
            QVERIFY(out.device.surroundings_untouched());
          }
        }
      }
    }
  }
}

// All that a part can ask for, in one product: parts of different widths and weight types; weights that are rows and
// columns of larger ones; results that go into columns of one matrix and rows of another.
void TestConformanceMatmul::parts() {
  constexpr int64_t kInner = 300;
  constexpr int64_t kQuery = 40, kKey = 19, kUp = 65, kBeside = 7;
  for (const DType x_type : kActivationTypes) {
    for (const DType out_type : kActivationTypes) {
      for (const int64_t rows : kRowCounts) {
        const Values x = random_values(rows, kInner, 1.0, x_type, 3);
        const DeviceMatrix device_x(backend(), x_type, x);
        const Values stacked = random_weight({kInner, kQuery + 2 * kKey}, DType::bf16, 4);
        const Values wide = random_weight({kInner + kBeside, kUp}, DType::f16, 5);
        const Values down = random_weight({kInner, kQuery}, DType::f32, 6);
        const DeviceWeight device_stacked(backend(), DType::bf16, stacked);
        const DeviceWeight device_wide(backend(), DType::f16, wide);
        const DeviceWeight device_down(backend(), DType::f32, down);
        const Values scale = random_values(1, kInner, 1.0, DType::f32, 7);
        const Values up_bias = random_values(1, kUp, 1.0, DType::f32, 8);
        const Values down_bias = random_values(1, kQuery, 1.0, DType::f32, 9);
        const DeviceWeight device_scale(backend(), DType::f32, scale);
        const DeviceWeight device_up_bias(backend(), DType::f32, up_bias);
        const DeviceWeight device_down_bias(backend(), DType::f32, down_bias);

        Target query(backend(), out_type, rows, kBeside + kQuery + kUp + kBeside, 10);
        Target key_cache(backend(), out_type, rows + 20, kKey, 11);
        Target value_cache(backend(), out_type, rows + 20, kKey, 12);
        Target residual(backend(), DType::f32, rows, kQuery, 13);
        Target narrow_sum(backend(), DType::bf16, rows, kQuery, 14);

        const ConstMatrix qkv = device_stacked.view();
        const MatmulPart parts[] = {
            {.weight = qkv.row_range(0, kQuery),
             .out = query.part(0, rows, kBeside, kQuery),
             .column_scale = device_scale.vector()},
            {.weight = qkv.row_range(kQuery, kKey), .out = key_cache.part(13, rows, 0, kKey)},
            {.weight = qkv.row_range(kQuery + kKey, kKey),
             .out = value_cache.part(13, rows, 0, kKey),
             .column_scale = device_scale.vector(),
             .activation = Activation::gelu_erf},
            {.weight = device_wide.view().col_range(kBeside, kInner),
             .out = query.part(0, rows, kBeside + kQuery, kUp),
             .bias = device_up_bias.vector(),
             .activation = Activation::gelu_tanh},
            {.weight = device_down.view(),
             .out = residual.part(0, rows, 0, kQuery),
             .bias = device_down_bias.vector(),
             .accumulate = true},
            {.weight = device_down.view(),
             .out = narrow_sum.part(0, rows, 0, kQuery),
             .column_scale = device_scale.vector(),
             .bias = device_down_bias.vector(),
             .activation = Activation::silu,
             .accumulate = true},
        };
        backend().matmul(device_x.view(), parts);

        query.expect(linear(x, x_type, stacked.row_range(0, kQuery), DType::bf16, {.column_scale = &scale}), 0, kBeside,
                     false);
        key_cache.expect(linear(x, x_type, stacked.row_range(kQuery, kKey), DType::bf16, {}), 13, 0, false);
        value_cache.expect(linear(x, x_type, stacked.row_range(kQuery + kKey, kKey), DType::bf16,
                                  {.column_scale = &scale, .activation = Activation::gelu_erf}),
                           13, 0, false);
        query.expect(linear(x, x_type, wide.col_range(kBeside, kInner), DType::f16,
                            {.bias = &up_bias, .activation = Activation::gelu_tanh}),
                     0, kBeside + kQuery, false);
        residual.expect(linear(x, x_type, down, DType::f32, {.bias = &down_bias}), 0, 0, true);
        narrow_sum.expect(linear(x, x_type, down, DType::f32,
                                 {.column_scale = &scale, .bias = &down_bias, .activation = Activation::silu}),
                          0, 0, true);
        const char* names[] = {"query", "key cache", "value cache", "residual", "narrow sum"};
        int index = 0;
        for (const Target* target : {&query, &key_cache, &value_cache, &residual, &narrow_sum}) {
          const QString label = QString("%1, %2 -> %3, %4 rows: ")
                                    .arg(names[index++], name_of(x_type), name_of(target->device.view().dtype))
                                    .arg(rows);
          QCOMPARE(label + difference(target->device.values(), target->want), label);
          QVERIFY(target->device.surroundings_untouched());
        }
      }
    }
  }
}

void TestConformanceMatmul::gated() {
  for (const DType x_type : kActivationTypes) {
    for (const DType weight_type : kWeightTypes) {
      for (const Size size : kSizes) {
        const Values x = random_values(kMostRows, size.k, 1.5, x_type, 15);
        const Values gate = random_weight(size, weight_type, 16);
        const Values up = random_weight(size, weight_type, 17);
        const DeviceWeight device_gate(backend(), weight_type, gate);
        const DeviceWeight device_up(backend(), weight_type, up);
        const Activation activation = weight_type == DType::f16 ? Activation::gelu_tanh : Activation::silu;
        const Reference exact = gated_linear(x, x_type, gate, up, weight_type, activation);
        for (const int64_t rows : kRowCounts) {
          const DeviceMatrix device_x(backend(), x_type, x.row_range(0, rows));
          for (const DType out_type : kActivationTypes) {
            DeviceMatrix out(backend(), out_type, rows, size.n);
            backend().gated_matmul(device_x.view(), device_gate.view(), device_up.view(), activation, out.view());
            const Reference want = stored({exact.value.row_range(0, rows), exact.bound.row_range(0, rows)}, out_type);
            const QString label = label_of(x_type, weight_type, out_type, size, rows);
            QCOMPARE(label + difference(out.values(), want), label);
            QVERIFY(out.surroundings_untouched());
          }
        }
      }
    }
  }
}

// x = 1, k = 1: the weight is what the activation gets.
void TestConformanceMatmul::activations() {
  std::vector<double> inputs;
  for (int step = -4000; step <= 4000; ++step) inputs.push_back(step * 0.00375);
  for (const double size :
       {1e-38, 1e-30, 1e-10, 1e-5, 15.5, 20.0, 50.0, 86.9, 87.1, 88.0, 88.8, 89.5, 104.0, 1e3, 1e4, 1e10, 1e20, 1e30}) {
    inputs.push_back(size);
    inputs.push_back(-size);
  }
  Values weight(static_cast<int64_t>(inputs.size()), 1);
  for (size_t i = 0; i < inputs.size(); ++i) weight.data[i] = rounded(inputs[i], DType::f32);
  const Values up = Values(weight.rows, 1, 1.0);
  const DeviceWeight device_weight(backend(), DType::f32, weight);
  const DeviceWeight device_up(backend(), DType::f32, up);
  const DeviceMatrix x(backend(), DType::f32, Values(1, 1, 1.0));
  for (const Activation activation :
       {Activation::none, Activation::silu, Activation::gelu_tanh, Activation::gelu_erf}) {
    Reference want{Values(1, weight.rows), Values(1, weight.rows)};
    for (size_t i = 0; i < inputs.size(); ++i) {
      want.value.data[i] = activated(weight.data[i], activation);
      want.bound.data[i] = activation_bound(weight.data[i], 0, activation);
    }
    want = stored(std::move(want), DType::f32);
    DeviceMatrix out(backend(), DType::f32, 1, weight.rows);
    const MatmulPart part{.weight = device_weight.view(), .out = out.view(), .activation = activation};
    backend().matmul(x.view(), {&part, 1});
    QCOMPARE(difference(out.values(), want), QString());
    DeviceMatrix gated(backend(), DType::f32, 1, weight.rows);
    backend().gated_matmul(x.view(), device_weight.view(), device_up.view(), activation, gated.view());
    QCOMPARE(difference(gated.values(), want), QString());
  }
}

void TestConformanceMatmul::same_bits_for_any_rows_and_threads() {
  for (const Size size : {Size{700, 210}, Size{1100, 37}}) {
    for (const DType x_type : kActivationTypes) {
      for (const DType weight_type : {x_type, DType::f16}) {
        const Values x = random_values(kMostRows, size.k, 1.0, x_type, 18);
        const Values weight = random_weight(size, weight_type, 19);
        const Values up = random_weight(size, weight_type, 20);
        const Values scale = random_values(1, size.k, 1.0, DType::f32, 21);
        const Values bias = random_values(1, size.n, 1.0, DType::f32, 22);
        const Values old = random_values(kMostRows, size.n, 1.0, DType::f32, 23);

        const auto results = [&](const Cut& cut) {
          Backend& device = backend(cut.threads);
          const DeviceMatrix device_x(device, x_type, x);
          const DeviceWeight device_weight(device, weight_type, weight);
          const DeviceWeight device_up(device, weight_type, up);
          const DeviceWeight device_scale(device, DType::f32, scale);
          const DeviceWeight device_bias(device, DType::f32, bias);
          DeviceMatrix product(device, DType::f32, kMostRows, size.n);
          DeviceMatrix sum(device, DType::f32, old);
          DeviceMatrix gated(device, DType::f32, kMostRows, size.n);
          DeviceMatrix back(device, DType::f32, kMostRows, size.n);
          const DeviceWeight device_square(device, weight_type, random_weight({size.n, size.k}, weight_type, 24));
          int64_t first = 0;
          for (const int64_t count : cut.row_counts) {
            const ConstMatrix rows = device_x.view().row_range(first, count);
            const MatmulPart parts[] = {
                {.weight = device_weight.view(), .out = product.view().row_range(first, count)},
                {.weight = device_up.view(),
                 .out = sum.view().row_range(first, count),
                 .column_scale = device_scale.vector(),
                 .bias = device_bias.vector(),
                 .activation = Activation::silu,
                 .accumulate = true},
                {.weight = device_square.view(), .out = back.view().row_range(first, count), .transposed = true}};
            device.matmul(rows, parts);
            device.gated_matmul(rows, device_weight.view(), device_up.view(), Activation::gelu_tanh,
                                gated.view().row_range(first, count));
            first += count;
          }
          return std::array{product.values(), sum.values(), gated.values(), back.values()};
        };

        const auto whole = results({1, {kMostRows}});
        for (const Cut& cut : row_cuts()) {
          const auto again = results(cut);
          const QString label = label_of(x_type, weight_type, DType::f32, size, kMostRows) +
                                QString("%1 threads, %2 calls: ").arg(cut.threads).arg(cut.row_counts.size());
          for (size_t i = 0; i < whole.size(); ++i) {
            QCOMPARE(label + bit_difference(again[i], whole[i]), label);
          }
        }
      }
    }
  }
}

QTEST_APPLESS_MAIN(TestConformanceMatmul)
#include "tst_conformance_matmul.moc"
