#include <QtTest>

#include "tests/vision/vision_data.h"
#include "vision/resize.h"

using namespace poplens;

class TestResize : public QObject {
  Q_OBJECT

 private slots:
  void equals_torchvision_data();
  void equals_torchvision();
  void weights_have_torchs_precision();
  void one_row_of_the_specification();
  void a_large_picture_goes_through();
};

void TestResize::equals_torchvision_data() {
  QTest::addColumn<QJsonObject>("golden");
  for (const QJsonValue entry : vision_data::json("resize.json").array()) {
    const auto side = [&](const char* key, int i) { return entry[key][i].toInt(); };
    QTest::addRow("%dx%d to %dx%d %s", side("from", 0), side("from", 1), side("to", 0), side("to", 1),
                  qPrintable(entry["filter"].toString()))
        << entry.toObject();
  }
}

void TestResize::equals_torchvision() {
  QFETCH(QJsonObject, golden);
  const QJsonValue from = golden["from"], to = golden["to"];
  const Filter filter = golden["filter"].toString() == "bicubic" ? Filter::bicubic : Filter::bilinear;
  const Image image = vision_data::formula_picture(from[0].toInt(), from[1].toInt());
  const Image result = resize(image, to[0].toInt(), to[1].toInt(), filter);
  QCOMPARE(result.width, to[0].toInt());
  QCOMPARE(result.height, to[1].toInt());
  const QJsonArray values = golden["values"].toArray();
  for (qsizetype i = 0; i < values.size(); ++i) QCOMPARE(int{result.rgb[static_cast<size_t>(i)]}, values[i].toInt());
  QCOMPARE(vision_data::sha256(result.rgb), golden["sha256"].toString());
}

void TestResize::weights_have_torchs_precision() {
  QCOMPARE(resample_weights(640, 512, Filter::bicubic).precision, 15);
  QCOMPARE(resample_weights(224, 256, Filter::bicubic).precision, 14);
  QCOMPARE(resample_weights(1080, 1088, Filter::bicubic).precision, 14);
  QCOMPARE(resample_weights(4032, 3008, Filter::bicubic).precision, 15);
  QCOMPARE(resample_weights(896, 448, Filter::bicubic).precision, 16);
}

// Values that Pillow and torchvision agree on.
void TestResize::one_row_of_the_specification() {
  const std::vector<int> row = {0, 10, 50, 200, 255, 128, 64, 32};
  Image image{8, 1, {}};
  for (const int value : row) image.rgb.insert(image.rgb.end(), 3, static_cast<uint8_t>(value));
  const auto resized = [&](int width, Filter filter) {
    const Image result = resize(image, width, 1, filter);
    std::vector<int> values;
    for (size_t i = 0; i < result.rgb.size(); i += 3) values.push_back(result.rgb[i]);
    return values;
  };
  QCOMPARE(resized(3, Filter::bicubic), (std::vector<int>{20, 185, 79}));
  QCOMPARE(resized(5, Filter::bicubic), (std::vector<int>{0, 59, 234, 134, 39}));
  QCOMPARE(resized(16, Filter::bicubic),
           (std::vector<int>{0, 1, 5, 15, 32, 82, 167, 225, 255, 235, 160, 107, 76, 53, 37, 29}));
  QCOMPARE(resized(3, Filter::bilinear), (std::vector<int>{32, 172, 85}));
  QCOMPARE(resized(5, Filter::bilinear), (std::vector<int>{4, 67, 216, 135, 45}));
}

void TestResize::a_large_picture_goes_through() {
  const Image grey{4500, 4200, std::vector<uint8_t>(size_t{4500} * 4200 * 3, 77)};
  const Image result = resize(grey, 4096, 4096, Filter::bicubic);
  QCOMPARE(result.rgb.size(), size_t{4096} * 4096 * 3);
  QVERIFY(std::all_of(result.rgb.begin(), result.rgb.end(), [](uint8_t value) { return value == 77; }));
}

QTEST_APPLESS_MAIN(TestResize)
#include "tst_resize.moc"
