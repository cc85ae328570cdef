// The CPU backend's threads: every piece of a job runs exactly once, whatever the sizes, and sleepers wake up.
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <QtTest>

#include "engine/backend/cpu/thread_pool.h"

using poplens::cpu::ThreadPool;

class TestThreadPool : public QObject {
  Q_OBJECT

 private slots:
  void covers_every_item_once_data();
  void covers_every_item_once();
  void many_jobs_in_a_row();
  void wakes_after_a_pause();
  void uses_every_thread();
};

void TestThreadPool::covers_every_item_once_data() {
  QTest::addColumn<int>("threads");
  for (const int threads : {0, 1, 2, 3, 9}) QTest::addRow("%d threads", threads) << threads;
}

void TestThreadPool::covers_every_item_once() {
  QFETCH(int, threads);
  ThreadPool pool(threads);
  QCOMPARE(pool.size(), std::max(threads, 1));
  for (const int64_t count : {0, 1, 2, 7, 1000}) {
    for (const int64_t grain : {0, 1, 3, 1000, 5000}) {
      std::vector<std::atomic<int>> hits(static_cast<size_t>(count));
      std::atomic<bool> sound{true};
      pool.parallel_for(count, grain, [&](int64_t begin, int64_t end, int thread) {
        if (begin >= end || end - begin > std::max<int64_t>(grain, 1)) sound = false;
        if (thread < 0 || thread >= pool.size()) sound = false;
        for (int64_t i = begin; i < end; ++i) ++hits[static_cast<size_t>(i)];
      });
      QVERIFY(sound);
      for (const auto& hit : hits) QCOMPARE(hit.load(), 1);
    }
  }
}

void TestThreadPool::many_jobs_in_a_row() {
  ThreadPool pool(3);
  std::vector<int64_t> sums(64);  // not atomic: a job that outlives its call would be seen here, and by a sanitizer
  constexpr int jobs = 20'000;
  for (int job = 0; job < jobs; ++job) {
    pool.parallel_for(64, 5, [&](int64_t begin, int64_t end, int) {
      for (int64_t i = begin; i < end; ++i) sums[static_cast<size_t>(i)] += i;
    });
  }
  for (int64_t i = 0; i < 64; ++i) QCOMPARE(sums[static_cast<size_t>(i)], i * jobs);
}

void TestThreadPool::wakes_after_a_pause() {
  ThreadPool pool(2);
  for (int round = 0; round < 20; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::atomic<int> done{0};
    pool.parallel_for(8, 1, [&](int64_t, int64_t, int) { ++done; });
    QCOMPARE(done.load(), 8);
  }
}

void TestThreadPool::uses_every_thread() {
  ThreadPool pool(2);
  std::atomic<int> met{0};
  // Each of the two pieces waits for the other: one thread alone would never end.
  pool.parallel_for(2, 1, [&](int64_t, int64_t, int) {
    ++met;
    while (met < 2) std::this_thread::yield();
  });
  QCOMPARE(met.load(), 2);
}

QTEST_APPLESS_MAIN(TestThreadPool)
#include "tst_thread_pool.moc"
