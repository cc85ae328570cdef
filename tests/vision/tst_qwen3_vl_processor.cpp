#include <algorithm>

#include <QTemporaryDir>
#include <QtTest>

#include "tests/vision/vision_data.h"
#include "vision/image_decode.h"
#include "vision/qwen3_vl_processor.h"

using namespace poplens;

class TestQwen3VlProcessor : public QObject {
  Q_OBJECT

 private slots:
  void pixel_values_equal_the_reference_data();
  void pixel_values_equal_the_reference();
  void rows_come_in_merge_blocks();
  void parts_equal_the_whole();
  void smart_resize_equals_the_reference();
  void too_long_pictures_are_refused_as_by_the_reference();
  void most_tokens_bound_the_size();
  void wrong_settings_are_named_data();
  void wrong_settings_are_named();
};

namespace {

constexpr PatchShape kShape{16, 2, 2};

Result<Qwen3VlProcessor> processor(const QString& name) {
  return Qwen3VlProcessor::from_folder(vision_data::path("processors/" + name).toStdString(), kShape);
}

// A folder whose preprocessor_config.json says `settings`.
void write_settings(const QTemporaryDir& folder, const QByteArray& settings) {
  QFile file(folder.filePath("preprocessor_config.json"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(settings);
}

QByteArray settings_with_size(qint64 least, qint64 most) {
  return QStringLiteral(R"({"patch_size":16,"size":{"shortest_edge":%1,"longest_edge":%2}})")
      .arg(least)
      .arg(most)
      .toUtf8();
}

}  // namespace

void TestQwen3VlProcessor::pixel_values_equal_the_reference_data() {
  QTest::addColumn<QJsonObject>("golden");
  for (const QJsonValue entry : vision_data::json("pixel_values.json").array())
    QTest::addRow("%s %s", qPrintable(entry["processor"].toString()), qPrintable(entry["picture"].toString()))
        << entry.toObject();
}

void TestQwen3VlProcessor::pixel_values_equal_the_reference() {
  QFETCH(QJsonObject, golden);
  const QByteArray file = vision_data::read("pictures/" + golden["picture"].toString());
  const auto image = decode_image(vision_data::bytes_of(file), "picture");
  QVERIFY(image.ok());
  const auto reader = processor(golden["processor"].toString());
  QVERIFY2(reader.ok(), reader.ok() ? "" : reader.error().message.c_str());
  const auto geometry = reader->geometry(image->width, image->height);
  QVERIFY(geometry.ok());
  QCOMPARE(geometry->grid_h, golden["grid"][0].toInt());
  QCOMPARE(geometry->grid_w, golden["grid"][1].toInt());
  QCOMPARE(geometry->soft_tokens, geometry->grid_h * geometry->grid_w / 4);
  const std::vector<float> values = reader->patches(reader->resize(*image, *geometry));
  QCOMPARE(values.size(), static_cast<size_t>(geometry->grid_h) * geometry->grid_w * 1536);
  const QJsonArray first = golden["first"].toArray();
  for (qsizetype i = 0; i < first.size(); ++i)
    QCOMPARE(static_cast<double>(values[static_cast<size_t>(i)]), first[i].toDouble());
  QCOMPARE(vision_data::sha256(values), golden["sha256"].toString());
}

// Each patch is painted in a colour of its own: red its row, green its column.
void TestQwen3VlProcessor::rows_come_in_merge_blocks() {
  const auto reader = processor("published");
  QVERIFY(reader.ok());
  Image image{6 * 16, 4 * 16, {}};
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      image.rgb.insert(image.rgb.end(), {static_cast<uint8_t>(y / 16), static_cast<uint8_t>(x / 16), uint8_t{255}});
  const std::vector<float> values = reader->patches(image);
  const std::vector<std::pair<int, int>> order = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3},
                                                  {0, 4}, {0, 5}, {1, 4}, {1, 5}, {2, 0}, {2, 1}, {3, 0}, {3, 1},
                                                  {2, 2}, {2, 3}, {3, 2}, {3, 3}, {2, 4}, {2, 5}, {3, 4}, {3, 5}};
  QCOMPARE(values.size(), order.size() * 1536);
  for (size_t row = 0; row < order.size(); ++row) {
    const float red = (static_cast<float>(order[row].first) - 127.5f) / 127.5f;
    const float green = (static_cast<float>(order[row].second) - 127.5f) / 127.5f;
    for (size_t i = 0; i < 512; ++i) {
      QCOMPARE(values[row * 1536 + i], red);
      QCOMPARE(values[row * 1536 + 512 + i], green);
      QCOMPARE(values[row * 1536 + 1024 + i], 1.0f);
    }
  }
}

void TestQwen3VlProcessor::parts_equal_the_whole() {
  const auto reader = processor("other_colors");
  QVERIFY(reader.ok());
  const Image image = vision_data::formula_picture(96, 64);
  const std::vector<float> whole = reader->patches(image);
  std::vector<float> part(7 * 1536);
  reader->patches(image, 5, 7, part);
  QVERIFY(std::equal(part.begin(), part.end(), whole.begin() + 5 * 1536));
}

void TestQwen3VlProcessor::smart_resize_equals_the_reference() {
  int compared = 0;
  for (const QJsonValue group : vision_data::json("smart_resize.json")["settings"].toArray()) {
    const QTemporaryDir folder;
    write_settings(folder, settings_with_size(group["least"].toInteger(), group["most"].toInteger()));
    const auto reader = Qwen3VlProcessor::from_folder(folder.path().toStdString(), kShape);
    QVERIFY2(reader.ok(), reader.ok() ? "" : reader.error().message.c_str());
    for (const QJsonValue row : group["rows"].toArray()) {
      const auto geometry = reader->geometry(row[0].toInt(), row[1].toInt());
      QVERIFY(geometry.ok());
      // The reference gives a side of 0 where the least number of pixels is one soft token.
      QCOMPARE(geometry->width, std::max(row[2].toInt(), 32));
      QCOMPARE(geometry->height, std::max(row[3].toInt(), 32));
      ++compared;
    }
  }
  QVERIFY(compared > 5000);
}

void TestQwen3VlProcessor::too_long_pictures_are_refused_as_by_the_reference() {
  const auto reader = processor("published");
  QVERIFY(reader.ok());
  for (const QJsonValue refused : vision_data::json("smart_resize.json")["refused"].toArray()) {
    const auto geometry = reader->geometry(refused["width"].toInt(), refused["height"].toInt());
    QVERIFY(!geometry.ok());
    QCOMPARE(QString::fromStdString(geometry.error().message), refused["message"].toString());
  }
  QVERIFY(reader->geometry(4000, 20).ok());
  QVERIFY(!reader->geometry(0, 20).ok());
}

void TestQwen3VlProcessor::most_tokens_bound_the_size() {
  auto reader = processor("published");
  QVERIFY(reader.ok());
  for (const int tokens : {1, 16, 64, 100, 1000, 20000}) {
    reader->set_max_tokens(tokens);
    for (const auto& [width, height] :
         std::vector<std::pair<int, int>>{{640, 480}, {32, 32}, {3000, 4000}, {100, 90}}) {
      const auto geometry = reader->geometry(width, height);
      QVERIFY(geometry.ok());
      QVERIFY(geometry->soft_tokens >= 1 && geometry->soft_tokens <= tokens);
    }
  }
  QCOMPARE(reader->geometry(4032, 3024)->soft_tokens, 11844);
}

void TestQwen3VlProcessor::wrong_settings_are_named_data() {
  QTest::addColumn<QByteArray>("settings");
  QTest::addColumn<QString>("named");
  QTest::newRow("no JSON") << QByteArray("{") << "not valid JSON";
  QTest::newRow("other patches") << QByteArray(R"({"patch_size":14})") << "'patch_size' is 14";
  QTest::newRow("no patches") << QByteArray("{}") << "'patch_size' is 14";
  QTest::newRow("no resize") << QByteArray(R"({"patch_size":16,"do_resize":false})") << "'do_resize'";
  QTest::newRow("lanczos") << QByteArray(R"({"patch_size":16,"resample":1})") << "'resample' is 1";
  QTest::newRow("half a size") << QByteArray(R"({"patch_size":16,"size":{"height":3}})")
                               << "'shortest_edge' is missing";
  QTest::newRow("huge size") << settings_with_size(65536, qint64{1} << 40) << "'longest_edge' is";
  QTest::newRow("no deviation") << QByteArray(R"({"patch_size":16,"image_std":[1,0,1]})") << "'image_std'";
  QTest::newRow("two means") << QByteArray(R"({"patch_size":16,"image_mean":[1,0]})") << "'image_mean'";
  QTest::newRow("no scale") << QByteArray(R"({"patch_size":16,"rescale_factor":0})") << "'rescale_factor'";
}

void TestQwen3VlProcessor::wrong_settings_are_named() {
  QFETCH(QByteArray, settings);
  QFETCH(QString, named);
  const QTemporaryDir folder;
  write_settings(folder, settings);
  const auto reader = Qwen3VlProcessor::from_folder(folder.path().toStdString(), kShape);
  QVERIFY(!reader.ok());
  const QString message = QString::fromStdString(reader.error().message);
  QVERIFY2(message.contains(named), qPrintable(message));
  QVERIFY2(message.contains("preprocessor_config.json"), qPrintable(message));
}

QTEST_APPLESS_MAIN(TestQwen3VlProcessor)
#include "tst_qwen3_vl_processor.moc"
