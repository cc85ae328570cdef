#include <set>

#include "engine/weights/checkpoint.h"
#include "tests/engine/weights/handmade_files.h"

using namespace poplens;

namespace {

const std::string kData = std::string(POPLENS_TEST_DATA) + "/engine/weights/data";

QByteArray index_json(const QByteArray& weight_map) {
  return R"({"metadata":{"total_size":1,"weight_map":{"not":"this one"}},"weight_map":)" + weight_map + "}";
}

const QByteArray kOneTensor = safetensors_bytes(R"({"t":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", 4);

QString error_of(const Result<Checkpoint>& checkpoint) {
  return checkpoint.ok() ? "no error" : QString::fromStdString(checkpoint.error().message);
}

}  // namespace

class TestCheckpoint : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void reads_a_single_file();
  void a_single_file_wins_over_an_index();
  void reads_shards();
  void gives_matrices();
  void gives_vectors();
  void copies_what_is_not_aligned();
  void memory_outlives_the_checkpoint();
  void names_what_does_not_fit_data();
  void names_what_does_not_fit();
  void refuses_bad_indexes_data();
  void refuses_bad_indexes();
  void refuses_a_tensor_in_two_shards();
  void refuses_an_empty_folder();

 private:
  std::unique_ptr<QTemporaryDir> folder_;
  void copy_mixed() {
    QVERIFY(QFile::copy(QString::fromStdString(kData + "/mixed.safetensors"), folder_->filePath("model.safetensors")));
  }
  std::string folder() const { return folder_->path().toStdString(); }
};

void TestCheckpoint::init() {
  folder_ = std::make_unique<QTemporaryDir>();
}

void TestCheckpoint::reads_a_single_file() {
  copy_mixed();
  const auto checkpoint = Checkpoint::open(folder());
  QVERIFY2(checkpoint.ok(), qPrintable(error_of(checkpoint)));
  QCOMPARE(checkpoint->names().size(), size_t{12});
  QVERIFY(checkpoint->find("f32") != nullptr);
  QVERIFY(checkpoint->find("f33") == nullptr);
  int64_t bytes = 0;
  for (const std::string& name : checkpoint->names())
    bytes += static_cast<int64_t>(checkpoint->find(name)->bytes.size());
  QCOMPARE(checkpoint->total_bytes(), bytes);
}

void TestCheckpoint::a_single_file_wins_over_an_index() {
  copy_mixed();
  write_file(*folder_, "model.safetensors.index.json", "{");
  QVERIFY(Checkpoint::open(folder()).ok());
}

void TestCheckpoint::reads_shards() {
  const auto checkpoint = Checkpoint::open(kData + "/sharded");
  QVERIFY2(checkpoint.ok(), qPrintable(error_of(checkpoint)));
  const std::vector<std::string> names = checkpoint->names();
  QCOMPARE((std::set<std::string>(names.begin(), names.end())),
           (std::set<std::string>{"a.weight", "b.weight", "c.weight"}));
  QCOMPARE(names.back(), std::string("c.weight"));
  QCOMPARE(checkpoint->total_bytes(), int64_t{2 * 3 * 4 + 3 * 2 + 4 * 2 * 2});
  const auto a = checkpoint->matrix("a.weight", 2, 3);
  QVERIFY(a.ok());
  QCOMPARE(static_cast<const float*>(a->data)[5], 5.0F / 4 - 2);
  QVERIFY(checkpoint->vector("b.weight", 3).ok());
  QVERIFY(checkpoint->matrix("c.weight", 4, 2).ok());
}

void TestCheckpoint::gives_matrices() {
  copy_mixed();
  const auto checkpoint = Checkpoint::open(folder());
  QVERIFY(checkpoint.ok());
  const auto f16 = checkpoint->matrix("f16", 3, 4);
  QVERIFY(f16.ok());
  QVERIFY(f16->dtype == DType::f16);
  QCOMPARE(f16->rows, int64_t{3});
  QCOMPARE(f16->cols, int64_t{4});
  QCOMPARE(f16->stride, int64_t{4});
  QCOMPARE(f16->data, static_cast<const void*>(checkpoint->find("f16")->bytes.data()));

  const auto kernel = checkpoint->matrix("kernel", 4, 24);
  QVERIFY(kernel.ok());
  QCOMPARE(kernel->rows, int64_t{4});
  QCOMPARE(kernel->cols, int64_t{24});
  QVERIFY(!checkpoint->matrix("kernel", 12, 8).ok());
  QVERIFY(!checkpoint->matrix("scalar", 1, 1).ok());
}

void TestCheckpoint::gives_vectors() {
  copy_mixed();
  const auto checkpoint = Checkpoint::open(folder());
  QVERIFY(checkpoint.ok());
  const auto f16 = checkpoint->vector("vector_f16", 5);
  QVERIFY(f16.ok());
  QCOMPARE(*f16, (std::vector<float>{-2, -1.75F, -1.5F, -1.25F, -1}));
  const auto bf16 = Checkpoint::open(kData + "/sharded")->vector("b.weight", 3);
  QVERIFY(bf16.ok());
  QCOMPARE(*bf16, (std::vector<float>{-2, -1.75F, -1.5F}));
  const auto count = static_cast<int64_t>(checkpoint->find("rounding.f32")->shape[0]);
  QVERIFY(checkpoint->vector("rounding.f32", count).ok());
}

void TestCheckpoint::copies_what_is_not_aligned() {
  // A header of odd length: every tensor begins at an odd address.
  QByteArray header = R"({"m":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},)"
                      R"("v":{"dtype":"F16","shape":[3],"data_offsets":[16,22]}})";
  if (header.size() % 2 == 0) header += ' ';
  QByteArray file = safetensors_bytes(header, 0);
  const float values[] = {1.5F, -2.5F, 3.5F, -4.5F};
  file.append(reinterpret_cast<const char*>(values), sizeof(values));
  file.append("\x00\x3C\x00\xC0\x00\x38", 6);
  write_file(*folder_, "model.safetensors", file);

  const auto checkpoint = Checkpoint::open(folder());
  QVERIFY2(checkpoint.ok(), qPrintable(error_of(checkpoint)));
  const auto m = checkpoint->matrix("m", 2, 2);
  QVERIFY(m.ok());
  QCOMPARE(reinterpret_cast<uintptr_t>(m->data) % alignof(float), uintptr_t{0});
  for (int i = 0; i < 4; ++i) QCOMPARE(static_cast<const float*>(m->data)[i], values[i]);
  QCOMPARE(checkpoint->matrix("m", 2, 2)->data, m->data);
  QCOMPARE(*checkpoint->vector("v", 3), (std::vector<float>{1, -2, 0.5F}));
}

void TestCheckpoint::memory_outlives_the_checkpoint() {
  std::shared_ptr<const void> owner;
  ConstMatrix matrix;
  {
    const auto checkpoint = Checkpoint::open(kData + "/sharded");
    owner = checkpoint->owner();
    matrix = *checkpoint->matrix("a.weight", 2, 3);
  }
  QCOMPARE(static_cast<const float*>(matrix.data)[0], -2.0F);
}

void TestCheckpoint::names_what_does_not_fit_data() {
  QTest::addColumn<QString>("tensor");
  QTest::addColumn<int>("rows");
  QTest::addColumn<int>("cols");
  QTest::addColumn<QString>("sentence");
  QTest::newRow("cols") << "f32" << 3 << 5
                        << "model.safetensors: tensor 'f32' has shape [3, 4], the config asks for [3, 5]";
  QTest::newRow("transposed") << "bf16" << 4 << 3
                              << "model.safetensors: tensor 'bf16' has shape [3, 4], the config asks for [4, 3]";
  QTest::newRow("kernel")
      << "kernel" << 4 << 25
      << "model.safetensors: tensor 'kernel' has shape [4, 3, 2, 2, 2], the config asks for [4, 25]";
  QTest::newRow("vector") << "vector_f16" << 5 << 1
                          << "model.safetensors: tensor 'vector_f16' has shape [5], the config asks for [5, 1]";
  QTest::newRow("negative") << "f32" << -3 << -4
                            << "model.safetensors: tensor 'f32' has shape [3, 4], the config asks for [-3, -4]";
  QTest::newRow("dtype")
      << "long" << 2 << 3
      << "model.safetensors: tensor 'long' has the unsupported dtype I64 (F32, F16 and BF16 are supported)";
  QTest::newRow("fp8")
      << "f8" << 2 << 2
      << "model.safetensors: tensor 'f8' has the unsupported dtype F8_E4M3 (F32, F16 and BF16 are supported)";
  QTest::newRow("missing") << "no.such" << 2 << 2 << "FOLDER: tensor 'no.such' is missing";
}

void TestCheckpoint::names_what_does_not_fit() {
  QFETCH(QString, tensor);
  QFETCH(int, rows);
  QFETCH(int, cols);
  QFETCH(QString, sentence);
  copy_mixed();
  const auto checkpoint = Checkpoint::open(folder());
  QVERIFY(checkpoint.ok());
  const auto matrix = checkpoint->matrix(tensor.toStdString(), rows, cols);
  QVERIFY(!matrix.ok());
  QCOMPARE(QString::fromStdString(matrix.error().message), sentence.replace("FOLDER", folder_->path()));
  const auto vector = checkpoint->vector(tensor.toStdString(), 4);
  QVERIFY(!vector.ok());
  if (tensor == "vector_f16") {
    QCOMPARE(QString::fromStdString(vector.error().message),
             QString("model.safetensors: tensor 'vector_f16' has shape [5], the config asks for [4]"));
  }
}

void TestCheckpoint::refuses_bad_indexes_data() {
  QTest::addColumn<QByteArray>("index");
  QTest::addColumn<QString>("sentence");  // after "PATH: "
  const auto bad_file = [](const char* name, const QByteArray& file, const char* shown = nullptr) {
    QTest::newRow(name) << index_json("{\"t\":\"" + file + "\"}")
                        << QString("tensor 't' is said to be in '%1', which is no file of this folder")
                               .arg(shown != nullptr ? shown : file.constData());
  };
  bad_file("up", "../model.safetensors");
  bad_file("up in the middle", "x/../../model.safetensors");
  bad_file("up at the end", "x/..");
  bad_file("absolute", "/etc/passwd");
  bad_file("no name", "");
  bad_file("a folder", "x/");
  bad_file("NUL in it", "a.safetensors\\u0000.txt", "a.safetensors?.txt");
  QTest::newRow("another tensor") << index_json(R"({"x":"a.safetensors"})")
                                  << "tensor 'x' is said to be in 'a.safetensors', which does not have it";
  QTest::newRow("another shard") << index_json(R"({"u":"b.safetensors","t":"b.safetensors"})")
                                 << "tensor 't' is said to be in 'b.safetensors', which does not have it";
  QTest::newRow("not JSON") << QByteArray("{\"weight_map\":") << "the index is not valid JSON (at byte 15)";
  QTest::newRow("a list") << QByteArray("[]") << "the index is not a JSON object";
  QTest::newRow("a text") << QByteArray("\"x\"") << "the index is not a JSON object";
  QTest::newRow("no map") << QByteArray(R"({"metadata":{"weight_map":{}}})") << "the index has no 'weight_map'";
  QTest::newRow("map a list") << index_json("[]") << "the index has a 'weight_map' that is no object";
  QTest::newRow("map a number") << index_json("1") << "the index has a 'weight_map' that is no object";
  QTest::newRow("two maps") << QByteArray(R"({"weight_map":{},"weight_map":{}})") << "the index has two 'weight_map'";
  QTest::newRow("file a number") << index_json(R"({"t":1})") << "the index gives no file name for tensor 't'";
  QTest::newRow("file a list") << index_json(R"({"t":["a"]})") << "the index gives no file name for tensor 't'";
  QTest::newRow("tensor twice") << index_json(R"({"t":"a.safetensors","t":"b.safetensors"})")
                                << "the index has tensor 't' twice";
  QTest::newRow("nested deep") << QByteArray("{\"metadata\":") + QByteArray(100'000, '[')
                               << "the index is nested deeper than 32 levels";
  QTest::newRow("empty") << QByteArray() << "the file is empty";
}

void TestCheckpoint::refuses_bad_indexes() {
  QFETCH(QByteArray, index);
  QFETCH(QString, sentence);
  write_file(*folder_, "a.safetensors", kOneTensor);
  write_file(*folder_, "b.safetensors",
             safetensors_bytes(R"({"u":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1));
  const std::string path = write_file(*folder_, "model.safetensors.index.json", index);
  QCOMPARE(error_of(Checkpoint::open(folder())), QString::fromStdString(path) + ": " + sentence);
}

void TestCheckpoint::refuses_a_tensor_in_two_shards() {
  write_file(*folder_, "a.safetensors", kOneTensor);
  write_file(*folder_, "b.safetensors",
             safetensors_bytes(R"({"t":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                               R"("u":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
                               2));
  write_file(*folder_, "model.safetensors.index.json", index_json(R"({"t":"a.safetensors","u":"b.safetensors"})"));
  QCOMPARE(error_of(Checkpoint::open(folder())),
           folder_->path() + ": tensor 't' is in two files, a.safetensors and b.safetensors");
}

void TestCheckpoint::refuses_an_empty_folder() {
  QCOMPARE(error_of(Checkpoint::open(folder())),
           folder_->path() + ": there is neither model.safetensors nor model.safetensors.index.json");
}

QTEST_APPLESS_MAIN(TestCheckpoint)
#include "tst_checkpoint.moc"
