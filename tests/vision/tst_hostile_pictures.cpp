// Damaged, lying and foreign files: one clear sentence, no crash, no stall, no memory for sizes that are not there.
#include <algorithm>
#include <chrono>
#include <random>

#include <QtTest>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/vision/vision_data.h"
#include "vision/image_decode.h"
#include "vision/image_format.h"

using namespace poplens;

class TestHostilePictures : public QObject {
  Q_OBJECT

 private slots:
  void cut_at_every_length_data();
  void cut_at_every_length();
  void flipped_bytes_data();
  void flipped_bytes();
  void foreign_files_are_refused_data();
  void foreign_files_are_refused();
  void lying_sizes_are_refused_data();
  void lying_sizes_are_refused();
  void a_tiff_that_cannot_be_decoded_is_refused();
  void a_deflate_bomb_is_refused();
  void nothing_is_printed();
};

namespace {

// One small picture of each kind of decoder.
const char* const kPictures[] = {
    "interlaced_3x5.png",
    "palette_4_transparent.png",
    "rgba_16_bit.png",
    "rgb_420.jpg",
    "rgb_420_progressive.jpg",
    "grey.jpg",
    "cmyk.jpg",
    "lossy.webp",
    "lossy_alpha.webp",
    "lossless.webp",
    "palette_tiff_lzw.tif",
    "rgb_tiff_lzw.tif",
    "cmyk_tiff_lzw.tif",
    "rgb_jpeg.tif",
    "one_bit_plain.tif",
    "one_bit_group3.tif",
    "one_bit_group4.tif",
    "palette.bmp",
    "rle8.bmp",
    "16_565.bmp",
    "32_alpha.bmp",
    "palette.gif",
    "own_palette.gif",
};

void list_pictures() {
  QTest::addColumn<QByteArray>("file");
  for (const char* name : kPictures) QTest::newRow(name) << vision_data::read(QStringLiteral("pictures/") + name);
}

// Decodes and checks what must hold for any input at all.
bool is_well_behaved(const QByteArray& file) {
  const auto image = decode_image(vision_data::bytes_of(file), "hostile.bin");
  if (image.ok())
    return image->rgb.size() == static_cast<size_t>(image->width) * static_cast<size_t>(image->height) * 3;
  const QString message = QString::fromStdString(image.error().message);
  return message.startsWith("hostile.bin: ") && !message.contains('\n') && message.size() < 300;
}

long peak_kilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

QByteArray be32(quint32 value) {
  QByteArray bytes(4, 0);
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<char>(value >> (24 - 8 * i));
  return bytes;
}

quint32 crc32(const QByteArray& data) {
  quint32 crc = ~0u;
  for (const char c : data) {
    crc ^= static_cast<quint8>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? 0xedb88320u ^ (crc >> 1) : crc >> 1;
  }
  return ~crc;
}

QByteArray chunk(const QByteArray& type, const QByteArray& body) {
  return be32(static_cast<quint32>(body.size())) + type + body + be32(crc32(type + body));
}

QByteArray png(quint32 width, quint32 height, const QByteArray& data) {
  return QByteArray("\x89PNG\r\n\x1a\n") +
         chunk("IHDR", be32(width) + be32(height) + QByteArray::fromHex("0802000000")) + chunk("IDAT", data) +
         chunk("IEND", {});
}

// qCompress without the length that it puts in front.
QByteArray deflated(const QByteArray& data) {
  return qCompress(data, 9).mid(4);
}

}  // namespace

void TestHostilePictures::cut_at_every_length_data() {
  list_pictures();
}

void TestHostilePictures::cut_at_every_length() {
  QFETCH(QByteArray, file);
  QVERIFY(decode_image(vision_data::bytes_of(file), "whole").ok());
  for (qsizetype length = 0; length < file.size(); ++length) {
    const QByteArray cut = file.left(length);  // a copy of its own, so that reading past it is seen
    QByteArray exact(cut.constData(), cut.size());
    exact.squeeze();
    QVERIFY2(is_well_behaved(exact), qPrintable(QString::number(length)));
    // The last bytes of some formats carry nothing.
    if (length < file.size() * 9 / 10)
      QVERIFY2(!decode_image(vision_data::bytes_of(exact), "cut").ok(), qPrintable(QString::number(length)));
  }
}

void TestHostilePictures::flipped_bytes_data() {
  list_pictures();
}

void TestHostilePictures::flipped_bytes() {
  QFETCH(QByteArray, file);
  std::mt19937 random(20261);
  const auto below = [&](qsizetype n) { return static_cast<qsizetype>(random() % static_cast<quint32>(n)); };
  for (int round = 0; round < 400; ++round) {
    QByteArray damaged = file;
    // Mostly near the beginning, where the headers are.
    const qsizetype reach = round % 2 == 0 ? std::min<qsizetype>(file.size(), 64) : file.size();
    for (qsizetype flips = 1 + below(4); flips > 0; --flips) damaged[below(reach)] = static_cast<char>(random() & 0xff);
    QVERIFY2(is_well_behaved(damaged), qPrintable(QString::number(round)));
  }
}

void TestHostilePictures::foreign_files_are_refused_data() {
  QTest::addColumn<QByteArray>("file");
  QTest::addColumn<QString>("sentence");
  const QString unknown = "not a picture format that PopLens reads (PNG, JPEG, WebP, TIFF, BMP, GIF)";
  QTest::newRow("empty") << QByteArray() << "the file is empty";
  QTest::newRow("text") << QByteArray("Hello, this is text.\n") << unknown;
  QTest::newRow("one byte") << QByteArray("\x89") << unknown;
  QTest::newRow("PDF") << QByteArray("%PDF-1.7\n") << unknown;
  QTest::newRow("HEIC") << QByteArray(
                               "\0\0\0\x18"
                               "ftypheic\0\0\0\0mif1heic",
                               24)
                        << "HEIC pictures are not read; convert it to JPEG or PNG first";
  QTest::newRow("AVIF") << QByteArray(
                               "\0\0\0\x18"
                               "ftypavif\0\0\0\0mif1miaf",
                               24)
                        << "AVIF pictures are not read; convert it to JPEG or PNG first";
  QTest::newRow("AVIF by a second brand") << QByteArray(
                                                 "\0\0\0\x18"
                                                 "ftypmif1\0\0\0\0mif1avif",
                                                 24)
                                          << "AVIF pictures are not read; convert it to JPEG or PNG first";
  QTest::newRow("MP4") << QByteArray(
                              "\0\0\0\x18"
                              "ftypisom\0\0\0\0isomiso2",
                              24)
                       << unknown;
}

void TestHostilePictures::foreign_files_are_refused() {
  QFETCH(QByteArray, file);
  QFETCH(QString, sentence);
  const auto image = decode_image(vision_data::bytes_of(file), "some/file.png");
  QVERIFY(!image.ok());
  QCOMPARE(QString::fromStdString(image.error().message), "some/file.png: " + sentence);
}

void TestHostilePictures::lying_sizes_are_refused_data() {
  QTest::addColumn<QByteArray>("file");
  QTest::addColumn<QString>("sentence");
  QTest::newRow("PNG without the data") << png(10000, 10000, deflated(QByteArray(20, 0)))
                                        << "cannot hold 10000 x 10000";
  QTest::newRow("PNG past the cap") << png(20000, 5001, deflated(QByteArray(20, 0)))
                                    << "20000 x 5001 pixels; at most 100";
  QTest::newRow("PNG without pixels") << png(0, 5, deflated(QByteArray(20, 0))) << "no pixels";
  QTest::newRow("PNG of 4 billion") << png(0xffffffff, 0xffffffff, deflated(QByteArray(20, 0))) << "4294967295";

  QByteArray jpeg = vision_data::read("pictures/rgb_420.jpg");
  const qsizetype frame = jpeg.indexOf(QByteArray("\xff\xc0"));
  jpeg.replace(frame + 5, 4, QByteArray("\x27\x10\x27\x10"));
  QTest::newRow("JPEG without the data") << jpeg << "cannot hold 10000 x 10000";
  jpeg.replace(frame + 5, 4, QByteArray("\xff\xff\xff\xff"));
  QTest::newRow("JPEG past the cap") << jpeg << "65535 x 65535 pixels; at most 100";

  QByteArray gif = vision_data::read("pictures/palette.gif");
  gif.replace(6, 4, QByteArray("\xff\xff\xff\xff"));
  QTest::newRow("GIF past the cap") << gif << "65535 x 65535 pixels; at most 100";
  gif.replace(6, 4, QByteArray("\x10\x27\x10\x27"));
  QTest::newRow("GIF of a blank screen") << gif << "31 x 22 of 10000 x 10000";

  QByteArray bmp = vision_data::read("pictures/32.bmp");
  bmp.replace(18, 8, QByteArray("\x10\x27\0\0\x10\x27\0\0", 8));
  QTest::newRow("BMP without the data") << bmp << "cut off";
}

void TestHostilePictures::lying_sizes_are_refused() {
  QFETCH(QByteArray, file);
  QFETCH(QString, sentence);
  const long before = peak_kilobytes();
  const auto image = decode_image(vision_data::bytes_of(file), "liar");
  QVERIFY(!image.ok());
  const QString message = QString::fromStdString(image.error().message);
  QVERIFY2(message.contains(sentence), qPrintable(message));
  QVERIFY(peak_kilobytes() - before < 20000);
}

// Bytes that are no stream of the compression that the file names: OpenCV alone would give a black picture.
void TestHostilePictures::a_tiff_that_cannot_be_decoded_is_refused() {
  const QByteArray plain = vision_data::read("pictures/rgba_plain.tif");
  const auto number = [&](qsizetype at, int bytes) {
    quint32 value = 0;
    for (int i = bytes - 1; i >= 0; --i) value = value << 8 | static_cast<quint8>(plain[at + i]);
    return value;
  };
  const qsizetype directory = number(4, 4);
  constexpr quint32 kCompression = 259;
  qsizetype compression_at = 0;
  for (quint32 i = 0; i < number(directory, 2); ++i) {
    const qsizetype entry = directory + 2 + qsizetype{i} * 12;
    if (number(entry, 2) == kCompression) compression_at = entry + 8;
  }
  QVERIFY(compression_at > 0 && plain.startsWith("II"));
  constexpr char kLzw = 5, kDeflate = 8;
  for (const char compression : {kLzw, kDeflate}) {
    QByteArray lying = plain;
    lying[compression_at] = compression;
    const auto image = decode_image(vision_data::bytes_of(lying), "liar.tif");
    QVERIFY(!image.ok());
    QVERIFY(QString::fromStdString(image.error().message).contains("cannot be decoded"));
  }
}

// 60 MB of zeros behind the header of a small picture: inflating stops soon after what the header implies.
void TestHostilePictures::a_deflate_bomb_is_refused() {
  const QByteArray bomb = png(100, 100, deflated(QByteArray(60'000'000, 0)));
  QVERIFY(is_well_behaved(bomb));
  QVERIFY(!decode_image(vision_data::bytes_of(bomb), "bomb").ok());
}

// libjpeg, libtiff and OpenCV speak of damaged data on standard error if they are let.
void TestHostilePictures::nothing_is_printed() {
  QByteArray jpeg = vision_data::read("pictures/rgb_420.jpg");
  const qsizetype end = jpeg.size() - 2;
  for (qsizetype at = end - 400; at < end; at += 7) jpeg[at] = 0x55;
  QByteArray webp = vision_data::read("pictures/lossless.webp");
  for (qsizetype at = 40; at < webp.size(); at += 3) webp[at] = static_cast<char>(0xaa);

  QTemporaryFile captured;
  QVERIFY(captured.open());
  const int saved = ::dup(STDERR_FILENO);
  ::dup2(captured.handle(), STDERR_FILENO);
  (void)decode_image(vision_data::bytes_of(jpeg), "jpeg");
  (void)decode_image(vision_data::bytes_of(webp), "webp");
  ::dup2(saved, STDERR_FILENO);
  ::close(saved);
  QVERIFY(captured.seek(0));
  QCOMPARE(captured.readAll(), QByteArray());
}

QTEST_APPLESS_MAIN(TestHostilePictures)
#include "tst_hostile_pictures.moc"
