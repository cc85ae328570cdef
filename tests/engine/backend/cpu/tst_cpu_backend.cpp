// How the CPU backend is made, and its memory.
#include <cstring>
#include <memory>
#include <vector>

#include <QtTest>

#include "engine/backend/cpu/cpu_backend.h"
#include "engine/backend/cpu/cpu_features.h"
#include "engine/backend/cpu/peak.h"

using namespace poplens;

class TestCpuBackend : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { qunsetenv("POPLENS_CPU_PATH"); }
  void describes_itself();
  void forced_by_the_environment();
  void refuses_a_path_that_the_machine_lacks();
  void imports_without_a_copy_where_it_can();
  void refuses_what_memory_does_not_hold();
  void measures_the_machine();
};

void TestCpuBackend::describes_itself() {
  const auto backend = make_cpu_backend({.threads = 2, .path = CpuPath::avx2});
  QVERIFY(backend.ok());
  QCOMPARE(backend.value()->description(), std::string("CPU, AVX2, 2 threads"));
}

void TestCpuBackend::forced_by_the_environment() {
  qputenv("POPLENS_CPU_PATH", "avx2");
  const auto forced = make_cpu_backend({.threads = 1, .path = {}});
  QVERIFY(forced.ok());
  QCOMPARE(forced.value()->description(), std::string("CPU, AVX2, 1 thread"));
  qputenv("POPLENS_CPU_PATH", "sse9");
  const auto unknown = make_cpu_backend({.threads = 1, .path = {}});
  QVERIFY(!unknown.ok());
  QCOMPARE(unknown.error().message,
           std::string("POPLENS_CPU_PATH is 'sse9'; it can be avx2, avx512, avx512_bf16 or amx"));
}

void TestCpuBackend::refuses_a_path_that_the_machine_lacks() {
  for (const CpuPath path : {CpuPath::avx512, CpuPath::avx512_bf16, CpuPath::amx}) {
    const auto backend = make_cpu_backend({.threads = 1, .path = path});
    QCOMPARE(backend.ok(), cpu::runs(path));
    if (backend.ok()) continue;
    QCOMPARE(backend.error().message, std::string("this machine does not run the CPU path ") + name_of(path));
    qputenv("POPLENS_CPU_PATH", name_of(path));
    const auto forced = make_cpu_backend({.threads = 1, .path = {}});
    QVERIFY(!forced.ok());
    QCOMPARE(forced.error().message,
             std::string("POPLENS_CPU_PATH asks for ") + name_of(path) + ", which this machine does not run");
  }
}

void TestCpuBackend::imports_without_a_copy_where_it_can() {
  const auto made = make_cpu_backend({.threads = 1, .path = CpuPath::avx2});
  QVERIFY(made.ok());
  Backend& backend = *made.value();
  const auto host = std::make_shared<std::vector<std::byte>>(64);
  for (size_t i = 0; i < 64; ++i) (*host)[i] = static_cast<std::byte>(i);
  const auto same = backend.import({host->data(), DType::f32, 3, 4, 5}, host);
  QVERIFY(same.ok());
  QCOMPARE(same.value().data.get(), static_cast<void*>(host->data()));
  QCOMPARE(same.value().bytes, int64_t{(2 * 5 + 4) * 4});
  const long owners = host.use_count();
  QVERIFY(owners > 1);
  const auto copied = backend.import({host->data() + 1, DType::f32, 3, 4, 5}, host);
  QVERIFY(copied.ok());
  QCOMPARE(host.use_count(), owners);
  QCOMPARE(reinterpret_cast<uintptr_t>(copied.value().data.get()) % 64, uintptr_t{0});
  QCOMPARE(std::memcmp(copied.value().data.get(), host->data() + 1, 56), 0);
}

void TestCpuBackend::refuses_what_memory_does_not_hold() {
  const auto made = make_cpu_backend({.threads = 1, .path = CpuPath::avx2});
  QVERIFY(made.ok());
  const auto buffer = made.value()->allocate(int64_t{1} << 60);
  QVERIFY(!buffer.ok());
  QVERIFY(buffer.error().message.find("1152921504606846976") != std::string::npos);
}

void TestCpuBackend::measures_the_machine() {
  QVERIFY(cpu::measure_peak_gflops(CpuPath::avx2, DType::f32, 1) > 0.1);
  QVERIFY(cpu::measure_read_bandwidth_gb_per_s(1) > 0.01);
}

QTEST_APPLESS_MAIN(TestCpuBackend)
#include "tst_cpu_backend.moc"
