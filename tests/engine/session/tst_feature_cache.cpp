// Vision features kept by content: found again, bounded in memory, the least recently used go first.
#include <QtTest>

#include "engine/backend/cpu/cpu_backend.h"
#include "engine/session/feature_cache.h"

using namespace poplens;

namespace {

constexpr int64_t kRows = 16;
constexpr int64_t kCols = 64;
constexpr int64_t kBytes = kRows * kCols * 4;

}  // namespace

class FeatureCacheTest : public QObject {
  Q_OBJECT

  std::shared_ptr<Backend> backend_ = *make_cpu_backend({.threads = 1});

  PictureFeatures features(int deepstack = 0) {
    PictureFeatures result{.main = *allocate_array(*backend_, DType::f32, kRows, kCols)};
    for (int i = 0; i < deepstack; ++i) {
      result.deepstack.push_back(*allocate_array(*backend_, DType::f32, kRows, kCols));
    }
    return result;
  }

 private slots:
  void finds_what_was_kept_and_shares_it() {
    FeatureCache cache(10 * kBytes);
    const PictureFeatures kept = features(2);
    cache.keep(7, kept);
    QVERIFY(!cache.find(8));
    const auto found = cache.find(7);
    QVERIFY(found);
    QCOMPARE(found->main.buffer.data, kept.main.buffer.data);
    QCOMPARE(found->deepstack.size(), size_t{2});
    QVERIFY(cache.bytes() >= 3 * kBytes);
  }

  void stays_below_its_bound_and_drops_what_was_not_used_for_longest() {
    FeatureCache cache(2 * kBytes + kBytes / 2);
    cache.keep(1, features());
    cache.keep(2, features());
    QVERIFY(cache.find(1));
    cache.keep(3, features());
    QVERIFY(cache.bytes() <= 2 * kBytes + kBytes / 2);
    QVERIFY(cache.find(1));
    QVERIFY(!cache.find(2));
    QVERIFY(cache.find(3));
  }

  void keeps_nothing_larger_than_itself() {
    FeatureCache cache(2 * kBytes);
    cache.keep(1, features());
    cache.keep(2, features(5));
    QVERIFY(!cache.find(2));
    QVERIFY(cache.find(1));
    FeatureCache none(0);
    none.keep(1, features());
    QCOMPARE(none.bytes(), 0);
  }

  void the_same_twice_counts_once() {
    FeatureCache cache(10 * kBytes);
    cache.keep(1, features());
    const int64_t bytes = cache.bytes();
    cache.keep(1, features());
    QCOMPARE(cache.bytes(), bytes);
    cache.clear();
    QCOMPARE(cache.bytes(), 0);
    QVERIFY(!cache.find(1));
  }
};

QTEST_GUILESS_MAIN(FeatureCacheTest)
#include "tst_feature_cache.moc"
