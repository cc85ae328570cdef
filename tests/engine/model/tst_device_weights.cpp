// Matrices in a backend's memory.
#include <QtTest>

#include "engine/backend/cpu/cpu_backend.h"
#include "engine/model/device_weights.h"

using namespace poplens;

class DeviceWeightsTest : public QObject {
  Q_OBJECT

 private slots:
  // Written in slices of rows: narrow ones of which the last is not whole, one wider than a slice, and none at all.
  void clearing_leaves_nothing_and_touches_nothing_else() {
    const auto backend = make_cpu_backend({});
    QVERIFY(backend.ok());
    constexpr int64_t wide = (int64_t{1} << 18) + 3;
    for (const auto& [rows, cols] : {std::pair<int64_t, int64_t>{700, 1000}, {2, wide}, {3, 5}}) {
      for (const DType dtype : {DType::f32, DType::bf16}) {
        const DeviceArray array = *allocate_array(**backend, dtype, rows + 2, cols);
        (*backend)->write(std::vector<float>(static_cast<size_t>((rows + 2) * cols), 1.0F), array.view());
        clear(**backend, array.view().row_range(1, rows));
        std::vector<float> values(static_cast<size_t>((rows + 2) * cols));
        (*backend)->read_back(array.view(), values);
        const auto cleared = std::count(values.begin() + cols, values.end() - cols, 0.0F);
        QCOMPARE(cleared, rows * cols);
        QCOMPARE(std::count(values.begin(), values.end(), 1.0F), 2 * cols);
        clear(**backend, array.view().row_range(0, 0));
      }
    }
  }
};

QTEST_APPLESS_MAIN(DeviceWeightsTest)
#include "tst_device_weights.moc"
