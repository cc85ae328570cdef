// What the conformance tests have in common: every test function runs once for each backend of TestBackends.
#pragma once

#include <cstdint>
#include <vector>

#include <QtTest>

#include "tests/support/test_backends.h"

namespace poplens::test {

constexpr DType kActivationTypes[] = {DType::f32, DType::bf16};
constexpr DType kWeightTypes[] = {DType::f32, DType::f16, DType::bf16};
constexpr int64_t kRowCounts[] = {1, 2, 3, 7, 17, 33, 133};
constexpr int64_t kMostRows = 133;

// How kMostRows rows are cut into calls, and on how many threads: all must give the bits of one call on one thread.
struct Cut {
  int threads;
  std::vector<int64_t> row_counts;
};
inline std::vector<Cut> row_cuts() {
  return {{2, {kMostRows}},
          {3, {kMostRows}},
          {2, {1, 2, 3, 4, 5, 6, 7, 13, 32, 60}},
          {3, {60, 32, 13, 7, 6, 5, 4, 3, 2, 1}},
          {1, {64, 1, 1, 1, 1, 17, 1, 1, 9, 37}}};
}

class ConformanceTest : public QObject {
 protected:
  // For NAME_data(): one row for each backend.
  void each_backend() {
    QTest::addColumn<QString>("name");
    for (const std::string& name : backends_.names()) QTest::newRow(name.c_str()) << QString::fromStdString(name);
  }
  // The backend of the row that runs.
  Backend& backend(int threads = 2) { return backends_.get(QTest::currentDataTag(), threads); }

  TestBackends backends_;
};

}  // namespace poplens::test
