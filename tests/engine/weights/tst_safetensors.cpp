#include <cstring>
#include <random>

#include "engine/base/float_formats.h"
#include "engine/weights/safetensors.h"
#include "tests/engine/weights/handmade_files.h"

using namespace poplens;

namespace {

const std::string kMixed = std::string(POPLENS_TEST_DATA) + "/engine/weights/data/mixed.safetensors";

QByteArray mixed_bytes() {
  QFile file(QString::fromStdString(kMixed));
  if (!file.open(QIODevice::ReadOnly)) qFatal("mixed.safetensors is missing");
  return file.readAll();
}

template <typename T>
std::vector<T> values_of(const TensorInfo& tensor) {
  std::vector<T> values(tensor.bytes.size() / sizeof(T));
  std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
  return values;
}

// Every byte that a file hands out is read: sanitizers see a view that leaves the file.
uint64_t sum_of_all_bytes(const SafetensorsFile& file) {
  uint64_t sum = 0;
  for (const TensorInfo& tensor : file.tensors()) {
    for (const std::byte byte : tensor.bytes) sum += std::to_integer<uint64_t>(byte);
  }
  return sum;
}

}  // namespace

class TestSafetensors : public QObject {
  Q_OBJECT

 private slots:
  void reads_the_reference_file();
  void rounds_to_bf16_like_torch();
  void accepts_data();
  void accepts();
  void refuses_data();
  void refuses();
  void refuses_no_file();
  void refuses_every_truncation();
  void refuses_trailing_bytes();
  void survives_mutations();
};

void TestSafetensors::reads_the_reference_file() {
  const auto file = SafetensorsFile::open(kMixed);
  QVERIFY2(file.ok(), file.ok() ? "" : file.error().message.c_str());
  QCOMPARE(file->tensors().size(), size_t{12});
  QCOMPARE(file->path().string(), kMixed);

  const TensorInfo* f32 = file->find("f32");
  QVERIFY(f32 != nullptr && f32->dtype == DType::f32);
  QCOMPARE(f32->shape, (std::vector<int64_t>{3, 4}));
  const auto values = values_of<float>(*f32);
  QCOMPARE(values.size(), size_t{12});
  for (size_t i = 0; i < values.size(); ++i) QCOMPARE(values[i], static_cast<float>(i) / 4 - 2);

  const TensorInfo* f16 = file->find("f16");
  QVERIFY(f16 != nullptr && f16->dtype == DType::f16);
  const auto halves = values_of<uint16_t>(*f16);
  for (size_t i = 0; i < halves.size(); ++i) QCOMPARE(f32_from_f16(halves[i]), values[i]);

  const TensorInfo* bf16 = file->find("bf16");
  QVERIFY(bf16 != nullptr && bf16->dtype == DType::bf16);
  const auto bf16_values = values_of<uint16_t>(*bf16);
  for (size_t i = 0; i < bf16_values.size(); ++i) QCOMPARE(f32_from_bf16(bf16_values[i]), values[i]);

  const TensorInfo* scalar = file->find("scalar");
  QVERIFY(scalar != nullptr && scalar->shape.empty());
  QCOMPARE(values_of<float>(*scalar), std::vector<float>{0.5F});

  const TensorInfo* none = file->find("none");
  QVERIFY(none != nullptr && none->bytes.empty());
  QCOMPARE(none->shape, (std::vector<int64_t>{0, 7}));

  const TensorInfo* whole_numbers = file->find("long");
  QVERIFY(whole_numbers != nullptr && !whole_numbers->dtype);
  QCOMPARE(whole_numbers->dtype_name, std::string("I64"));
  QVERIFY(file->find("f8") != nullptr && !file->find("f8")->dtype);

  QVERIFY(file->find("name with \"quotes\", é and 😀") != nullptr);
  QVERIFY(file->find("__metadata__") == nullptr);
  QVERIFY(file->find("") == nullptr);
  QVERIFY(file->find("f3") == nullptr);
  QVERIFY(file->find("f322") == nullptr);

  const std::byte* end = file->tensors().front().bytes.data();
  for (const TensorInfo& tensor : file->tensors()) {
    QCOMPARE(tensor.bytes.data(), end);
    end += tensor.bytes.size();
  }
}

void TestSafetensors::rounds_to_bf16_like_torch() {
  const auto file = SafetensorsFile::open(kMixed);
  QVERIFY(file.ok());
  const auto exact = values_of<float>(*file->find("rounding.f32"));
  const auto rounded = values_of<uint16_t>(*file->find("rounding.bf16"));
  QVERIFY(exact.size() > 250);
  QCOMPARE(exact.size(), rounded.size());
  for (size_t i = 0; i < exact.size(); ++i) QCOMPARE(bf16_from_f32(exact[i]), rounded[i]);
}

void TestSafetensors::accepts_data() {
  QTest::addColumn<QByteArray>("header");
  QTest::addColumn<int>("data_bytes");
  QTest::addColumn<QString>("first");

  QTest::newRow("no tensor") << QByteArray("{}") << 0 << "";
  QTest::newRow("spaces after the header") << QByteArray("{}  \n ") << 0 << "";
  QTest::newRow("in another order than the data")
      << QByteArray(R"({"b":{"dtype":"U8","shape":[3],"data_offsets":[2,5]},)"
                    R"("a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})")
      << 5 << "a";
  QTest::newRow("empty tensors anywhere") << QByteArray(R"({"b":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},)"
                                                        R"("z":{"dtype":"F32","shape":[0],"data_offsets":[3,3]},)"
                                                        R"("a":{"dtype":"F32","shape":[4,0],"data_offsets":[0,0]}})")
                                          << 3 << "a";
  QTest::newRow("unknown fields")
      << QByteArray(R"({"a":{"x":[{"y":[1,null]},2.5],"dtype":"U8","shape":[2],"data_offsets":[0,2],"z":"t"}})") << 2
      << "a";
  QTest::newRow("four-bit numbers") << QByteArray(R"({"a":{"dtype":"F4","shape":[3,2],"data_offsets":[0,3]}})") << 3
                                    << "a";
  QTest::newRow("metadata last")
      << QByteArray(R"({"a":{"dtype":"F16","shape":[],"data_offsets":[0,2]},"__metadata__":{"shape":"a","dtype":"b"}})")
      << 2 << "a";
}

void TestSafetensors::accepts() {
  QFETCH(QByteArray, header);
  QFETCH(int, data_bytes);
  QFETCH(QString, first);
  const QTemporaryDir folder;
  const auto file = SafetensorsFile::open(write_file(folder, "x.safetensors", safetensors_bytes(header, data_bytes)));
  QVERIFY2(file.ok(), file.ok() ? "" : file.error().message.c_str());
  QCOMPARE(file->tensors().empty() ? std::string() : file->tensors().front().name, first.toStdString());
}

void TestSafetensors::refuses_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("sentence");  // after "PATH: "

  const auto raw = [](const char* name, const QByteArray& bytes, const char* sentence) {
    QTest::newRow(name) << bytes << sentence;
  };
  const auto bad = [](const char* name, const QByteArray& header, int data_bytes, const char* sentence) {
    QTest::newRow(name) << safetensors_bytes(header, data_bytes) << sentence;
  };
  const auto one = [&bad](const char* name, const QByteArray& fields, int data_bytes, const char* sentence) {
    bad(name, "{\"t\":" + fields + "}", data_bytes, sentence);
  };

  raw("empty file", "", "the file is empty");
  raw("7 bytes", QByteArray(7, 0), "not a safetensors file: only 7 bytes long");
  raw("no header", QByteArray(8, 0), "the header does not begin with '{'");
  raw("header of 2^64 - 1", QByteArray(8, '\xFF') + "{}",
      "the header length 18446744073709551615 is over the limit of 100000000 bytes");
  raw("header of 2^64 - 8", QByteArray("\xF8\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8) + "{}",
      "the header length 18446744073709551608 is over the limit of 100000000 bytes");
  raw("header over the limit", QByteArray("\x01\xE1\xF5\x05\0\0\0\0", 8) + "{}",
      "the header length 100000001 is over the limit of 100000000 bytes");
  raw("header at the limit", QByteArray("\x00\xE1\xF5\x05\0\0\0\0", 8) + "{}",
      "the header length 100000000 is more than the 2 bytes that follow");
  raw("header longer than the file", QByteArray("\x03\0\0\0\0\0\0\0", 8) + "{}",
      "the header length 3 is more than the 2 bytes that follow");

  bad("space first", " {}", 0, "the header does not begin with '{'");
  bad("byte order mark", "\xEF\xBB\xBF{}", 0, "the header does not begin with '{'");
  bad("a list", "[]", 0, "the header does not begin with '{'");
  bad("unfinished", "{", 0, "the header is not valid JSON (at byte 2)");
  bad("something after it", "{}{}", 0, "the header is not valid JSON (at byte 3)");
  bad("NUL after it", QByteArray("{}\0x", 4), 0, "the header is not valid JSON (at byte 3)");
  bad("comment", "{/**/}", 0, "the header is not valid JSON (at byte 2)");
  bad("trailing comma", R"({"t":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},})", 1,
      "the header is not valid JSON (at byte 54)");
  bad("bad UTF-8", "{\"\xFF\":1}", 0, "the header is not valid JSON (at byte 3)");
  bad("half a surrogate", R"({"\uD800":1})", 0, "the header is not valid JSON (at byte 9)");
  bad("nested 100,000 deep", "{\"t\":{\"x\":" + QByteArray(100'000, '['), 0,
      "the header is nested deeper than 32 levels");
  bad("objects nested deep", "{\"t\":{\"x\":" + QByteArray("{\"x\":").repeated(50'000), 0,
      "the header is nested deeper than 32 levels");

  bad("name twice",
      R"({"t":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"t":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1,
      "the header has the key 't' twice");
  bad("name twice, once escaped",
      R"({"t":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"\u0074":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
      2, "the header has the key 't' twice");
  bad("metadata twice", R"({"__metadata__":{},"__metadata__":{}})", 0, "the header has the key '__metadata__' twice");
  bad("metadata's key twice", R"({"__metadata__":{"a":"1","a":"1"}})", 0,
      "the header has the key 'a' twice in '__metadata__'");
  bad("metadata a text", R"({"__metadata__":"x"})", 0, "the header has a '__metadata__' that is no object");
  bad("metadata a list", R"({"__metadata__":["x"]})", 0, "the header has a '__metadata__' that is no object");
  bad("metadata with a number", R"({"__metadata__":{"a":1}})", 0,
      "the header has a value in '__metadata__' that is no text");
  bad("metadata with an object", R"({"__metadata__":{"shape":[1]}})", 0,
      "the header has a value in '__metadata__' that is no text");

  one("entry a number", "1", 0, "the header has a tensor 't' that is no object");
  one("entry a list", R"(["U8",[1],[0,1]])", 1, "the header has a tensor 't' that is no object");
  one("entry null", "null", 0, "the header has a tensor 't' that is no object");
  one("no dtype", R"({"shape":[1],"data_offsets":[0,1]})", 1, "the header has no 'dtype' for tensor 't'");
  one("no shape", R"({"dtype":"U8","data_offsets":[0,1]})", 1, "the header has no 'shape' for tensor 't'");
  one("no offsets", R"({"dtype":"U8","shape":[1]})", 1, "the header has no 'data_offsets' for tensor 't'");
  one("dtype twice", R"({"dtype":"U8","shape":[1],"dtype":"U8","data_offsets":[0,1]})", 1,
      "the header has the key 'dtype' twice in 't'");
  one("shape twice", R"({"dtype":"U8","shape":[1],"shape":[1],"data_offsets":[0,1]})", 1,
      "the header has the key 'shape' twice in 't'");
  one("dtype a number", R"({"dtype":8,"shape":[1],"data_offsets":[0,1]})", 1,
      "the header has a 'dtype' that is no text for tensor 't'");
  one("dtype unknown", R"({"dtype":"F33","shape":[1],"data_offsets":[0,4]})", 4,
      "tensor 't' has the unknown dtype 'F33'");
  one("dtype in small letters", R"({"dtype":"f32","shape":[1],"data_offsets":[0,4]})", 4,
      "tensor 't' has the unknown dtype 'f32'");
  one("dtype with a line break", R"({"dtype":"F\n2","shape":[1],"data_offsets":[0,4]})", 4,
      "tensor 't' has the unknown dtype 'F?2'");
  one("shape a number", R"({"dtype":"U8","shape":1,"data_offsets":[0,1]})", 1,
      "the header has a 'shape' that is no list of whole numbers for tensor 't'");
  one("shape an object", R"({"dtype":"U8","shape":{"a":1},"data_offsets":[0,1]})", 1,
      "the header has a 'shape' that is no list of whole numbers for tensor 't'");
  one("shape nested", R"({"dtype":"U8","shape":[[1]],"data_offsets":[0,1]})", 1,
      "the header has a 'shape' that is no list of whole numbers for tensor 't'");
  one("shape negative", R"({"dtype":"U8","shape":[-1],"data_offsets":[0,1]})", 1,
      "the header has a 'shape' that is no list of whole numbers for tensor 't'");
  one("shape minus zero", R"({"dtype":"U8","shape":[-0],"data_offsets":[0,0]})", 0,
      "the header has a 'shape' that is no list of whole numbers for tensor 't'");
  one("shape with a fraction", R"({"dtype":"U8","shape":[1.0],"data_offsets":[0,1]})", 1,
      "the header has a 'shape' that is no list of whole numbers for tensor 't'");
  one("shape of texts", R"({"dtype":"U8","shape":["1"],"data_offsets":[0,1]})", 1,
      "the header has a 'shape' that is no list of whole numbers for tensor 't'");
  one("shape past 64 bits", R"({"dtype":"U8","shape":[18446744073709551617],"data_offsets":[0,1]})", 1,
      "the header has a 'shape' that is no list of whole numbers for tensor 't'");
  one("shape past 63 bits", R"({"dtype":"U8","shape":[9223372036854775808],"data_offsets":[0,1]})", 1,
      "the header has a 'shape' that is no list of whole numbers for tensor 't'");
  one("17 dimensions", R"({"dtype":"U8","shape":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],"data_offsets":[0,1]})", 1,
      "the header has a tensor 't' that is of more than 16 dimensions");
  one("one offset", R"({"dtype":"U8","shape":[1],"data_offsets":[1]})", 1,
      "the header has 'data_offsets' that are not two whole numbers for tensor 't'");
  one("three offsets", R"({"dtype":"U8","shape":[1],"data_offsets":[0,1,1]})", 1,
      "the header has 'data_offsets' that are not two whole numbers for tensor 't'");
  one("offset negative", R"({"dtype":"U8","shape":[1],"data_offsets":[-1,0]})", 1,
      "the header has 'data_offsets' that are not two whole numbers for tensor 't'");
  one("offsets nested", R"({"dtype":"U8","shape":[1],"data_offsets":[[0,1]]})", 1,
      "the header has 'data_offsets' that are not two whole numbers for tensor 't'");

  one("hole at the front", R"({"dtype":"U8","shape":[1],"data_offsets":[1,2]})", 2,
      "tensor 't' has the data offsets [1, 2] where the tensor before it ends at 0");
  bad("hole between",
      R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"t":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}})", 3,
      "tensor 't' has the data offsets [2, 3] where the tensor before it ends at 1");
  bad("overlap",
      R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"t":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})", 3,
      "tensor 't' has the data offsets [1, 3] where the tensor before it ends at 2");
  bad("two names for one place",
      R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"t":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})", 2,
      "tensor 't' has the data offsets [0, 2] where the tensor before it ends at 2");
  bad("backwards",
      R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"t":{"dtype":"U8","shape":[2],"data_offsets":[2,0]}})", 2,
      "tensor 't' has data offsets that run backwards: [2, 0]");
  one("past the end", R"({"dtype":"U8","shape":[2],"data_offsets":[0,2]})", 1,
      "tensor 't' ends at byte 2 of the data, but the file has 1");
  one("exabytes", R"({"dtype":"U8","shape":[9223372036854775807],"data_offsets":[0,9223372036854775807]})", 1,
      "tensor 't' ends at byte 9223372036854775807 of the data, but the file has 1");
  one("end of 2^64 - 1", R"({"dtype":"U8","shape":[1],"data_offsets":[0,18446744073709551615]})", 1,
      "tensor 't' ends at byte 18446744073709551615 of the data, but the file has 1");
  one("left over at the end", R"({"dtype":"U8","shape":[2],"data_offsets":[0,2]})", 3,
      "the tensors end at byte 2 of the data, but the file has 3");
  bad("data of no tensor", "{}", 1, "the tensors end at byte 0 of the data, but the file has 1");
  one("fewer bytes than the shape", R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})", 4,
      "tensor 't' has 4 bytes, but its shape [2] of F32 needs 8");
  one("more bytes than the shape", R"({"dtype":"BF16","shape":[1],"data_offsets":[0,4]})", 4,
      "tensor 't' has 4 bytes, but its shape [1] of BF16 needs 2");
  one("bytes for an empty shape", R"({"dtype":"F32","shape":[5,0],"data_offsets":[0,4]})", 4,
      "tensor 't' has 4 bytes, but its shape [5, 0] of F32 needs 0");
  one("shape product overflows to 0", R"({"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0]})", 0,
      "tensor 't' has a size that cannot be: shape [4294967296, 4294967296] of U8");
  one("shape product overflows to 4", R"({"dtype":"U8","shape":[2305843009213693952,9],"data_offsets":[0,4]})", 4,
      "tensor 't' has a size that cannot be: shape [2305843009213693952, 9] of U8");
  one("bytes overflow", R"({"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0]})", 0,
      "tensor 't' has a size that cannot be: shape [4611686018427387904] of F32");
  one("overflow hidden by a zero", R"({"dtype":"U8","shape":[4294967296,4294967296,0],"data_offsets":[0,0]})", 0,
      "tensor 't' has a size that cannot be: shape [4294967296, 4294967296, 0] of U8");
  one("half a byte", R"({"dtype":"F4","shape":[3],"data_offsets":[0,1]})", 1,
      "tensor 't' has a size that cannot be: shape [3] of F4");
  bad("a name of 300 letters", "{\"" + QByteArray(300, 'n') + "\":1}", 0,
      ("the header has a tensor '" + QByteArray(100, 'n') + "...' that is no object").constData());
}

void TestSafetensors::refuses() {
  QFETCH(QByteArray, bytes);
  QFETCH(QString, sentence);
  const QTemporaryDir folder;
  const std::string path = write_file(folder, "x.safetensors", bytes);
  const auto file = SafetensorsFile::open(path);
  QVERIFY(!file.ok());
  QCOMPARE(QString::fromStdString(file.error().message), QString::fromStdString(path) + ": " + sentence);
}

void TestSafetensors::refuses_no_file() {
  const QTemporaryDir folder;
  const auto missing = SafetensorsFile::open(folder.filePath("none").toStdString());
  QVERIFY(!missing.ok());
  QVERIFY(QString::fromStdString(missing.error().message).contains("none: "));
  QVERIFY(!SafetensorsFile::open(folder.path().toStdString()).ok());
}

void TestSafetensors::refuses_every_truncation() {
  const QByteArray whole = mixed_bytes();
  const QTemporaryDir folder;
  for (qsizetype length = 0; length < whole.size(); ++length) {
    const auto file = SafetensorsFile::open(write_file(folder, "x.safetensors", whole.left(length)));
    QVERIFY2(!file.ok(), qPrintable(QString("accepted at %1 bytes").arg(length)));
  }
}

void TestSafetensors::refuses_trailing_bytes() {
  const QTemporaryDir folder;
  const auto file = SafetensorsFile::open(write_file(folder, "x.safetensors", mixed_bytes() + '\0'));
  QVERIFY(!file.ok());
}

void TestSafetensors::survives_mutations() {
  const QByteArray whole = mixed_bytes();
  const auto header_bytes =
      static_cast<int>(static_cast<unsigned char>(whole[0]) + 256 * static_cast<unsigned char>(whole[1]));
  const char interesting[] = "0123456789{}[]\",:-.eE\\ntfu \0\xFF\x80";
  std::mt19937 random(20240607);  // NOLINT: the same mutations every time
  const QTemporaryDir folder;
  int accepted = 0;
  for (int round = 0; round < 4000; ++round) {
    QByteArray bytes = whole;
    const int changes = 1 + static_cast<int>(random() % 3);
    for (int change = 0; change < changes; ++change) {
      const auto at = static_cast<qsizetype>(random() % static_cast<unsigned>(8 + header_bytes));
      switch (random() % 4) {
        case 0:
          bytes[at] = static_cast<char>(random() & 0xFF);
          break;
        case 1:
          bytes[at] = interesting[random() % (sizeof(interesting) - 1)];
          break;
        case 2:
          bytes.remove(at, 1);
          break;
        default:
          bytes.insert(at, interesting[random() % (sizeof(interesting) - 1)]);
          break;
      }
    }
    const auto file = SafetensorsFile::open(write_file(folder, "x.safetensors", bytes));
    if (file.ok()) {
      ++accepted;
      QVERIFY(sum_of_all_bytes(*file) > 0);
    } else {
      const QString message = QString::fromStdString(file.error().message);
      QVERIFY(message.contains("x.safetensors: "));
      QVERIFY(message.size() < 600);
    }
  }
  QVERIFY(accepted > 0 && accepted < 2000);
}

QTEST_APPLESS_MAIN(TestSafetensors)
#include "tst_safetensors.moc"
