#include <QtTest>

#include "tests/vision/vision_data.h"
#include "vision/image_decode.h"
#include "vision/image_format.h"

using namespace poplens;

class TestImageDecode : public QObject {
  Q_OBJECT

 private slots:
  void pixels_equal_the_reference_data();
  void pixels_equal_the_reference();
  void header_tells_the_size_data();
  void header_tells_the_size();
  void format_is_taken_from_the_bytes();
  void every_committed_picture_is_listed();
};

namespace {

void list_pictures() {
  QTest::addColumn<QJsonObject>("golden");
  for (const QJsonValue entry : vision_data::json("pictures.json").array())
    QTest::newRow(qPrintable(entry["file"].toString())) << entry.toObject();
}

QByteArray file_of(const QJsonObject& golden) {
  return vision_data::read("pictures/" + golden["file"].toString());
}

}  // namespace

void TestImageDecode::pixels_equal_the_reference_data() {
  list_pictures();
}

void TestImageDecode::pixels_equal_the_reference() {
  QFETCH(QJsonObject, golden);
  const QByteArray file = file_of(golden);
  const auto image = decode_image(vision_data::bytes_of(file), "picture");
  QVERIFY2(image.ok(), image.ok() ? "" : image.error().message.c_str());
  QCOMPARE(image->width, golden["width"].toInt());
  QCOMPARE(image->height, golden["height"].toInt());
  const QJsonArray first = golden["first"].toArray();
  for (qsizetype i = 0; i < first.size(); ++i) QCOMPARE(int{image->rgb[static_cast<size_t>(i)]}, first[i].toInt());
  QCOMPARE(vision_data::sha256(image->rgb), golden["sha256"].toString());
}

void TestImageDecode::header_tells_the_size_data() {
  list_pictures();
}

void TestImageDecode::header_tells_the_size() {
  QFETCH(QJsonObject, golden);
  const QByteArray file = file_of(golden);
  const auto info = read_image_info(vision_data::bytes_of(file), "picture");
  QVERIFY2(info.ok(), info.ok() ? "" : info.error().message.c_str());
  QCOMPARE(info->oriented_width(), golden["width"].toInt());
  QCOMPARE(info->oriented_height(), golden["height"].toInt());
  QCOMPARE(info->orientation, golden["orientation"].toInt());
}

void TestImageDecode::format_is_taken_from_the_bytes() {
  const auto format = [](const QString& picture) {
    const QByteArray file = vision_data::read("pictures/" + picture);
    const auto found = detect_image_format(vision_data::bytes_of(file), "picture");
    return found.ok() ? *found : ImageFormat::tiff;
  };
  QCOMPARE(format("named_as_png.png"), ImageFormat::jpeg);
  QCOMPARE(format("rgb.png"), ImageFormat::png);
  QCOMPARE(format("lossy.webp"), ImageFormat::webp);
  QCOMPARE(format("32.bmp"), ImageFormat::bmp);
  QCOMPARE(format("grey.gif"), ImageFormat::gif);
}

void TestImageDecode::every_committed_picture_is_listed() {
  const qsizetype files = QDir(vision_data::path("pictures")).entryList(QDir::Files).size();
  QVERIFY(files > 100);
  QCOMPARE(vision_data::json("pictures.json").array().size(), files);
}

QTEST_APPLESS_MAIN(TestImageDecode)
#include "tst_image_decode.moc"
