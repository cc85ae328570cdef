// The command line's pure parts.
#include <cmath>

#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include "app/cli/messages_file.h"
#include "app/cli/model_sizes.h"
#include "app/cli/npy.h"
#include "app/cli/options.h"
#include "app/cli/published_shapes.h"
#include "engine/pop/cost/prefill_cost.h"
#include "tests/app/cli_program.h"

using namespace poplens;
using namespace poplens::cli;

class TestCliUnits : public QObject {
  Q_OBJECT

 private slots:
  void npy_files() {
    const int64_t matrix[] = {3, 384};
    const std::string header = npy_header(matrix);
    QCOMPARE(header.size() % 64, size_t{0});
    QVERIFY(header.starts_with(std::string("\x93NUMPY\x01\x00", 8)));
    const auto length = static_cast<unsigned char>(header[8]) + 256 * static_cast<unsigned char>(header[9]);
    QCOMPARE(static_cast<size_t>(length) + 10, header.size());
    QVERIFY(header.find("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 384), }") == 10);
    QVERIFY(header.ends_with(" \n"));
    const int64_t list[] = {5};
    QVERIFY(npy_header(list).find("'shape': (5,), }") != std::string::npos);

    const QTemporaryDir folder;
    const std::vector<float> values{1.5F, -2.0F, 0.25F, 3.0F};
    const int64_t square[] = {2, 2};
    const std::string path = folder.filePath("a.npy").toStdString();
    QVERIFY(write_npy(path, square, values).ok());
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray content = file.readAll();
    QCOMPARE(content.size(), qsizetype(npy_header(square).size() + 16));
    QVERIFY(content.endsWith(QByteArray::fromRawData(reinterpret_cast<const char*>(values.data()), 16)));
    const auto refused = write_npy(folder.filePath("none/a.npy").toStdString(), square, values);
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().message.find("none/a.npy") != std::string::npos);
    const auto full = write_npy("/dev/full", square, values);
    QVERIFY(!full.ok());
  }

  // The examples of the cost model's text: 2,048 tokens, no cost of a single row.
  void limits_data() {
    QTest::addColumn<QString>("shape");
    QTest::addColumn<int>("depth");
    QTest::addColumn<double>("limit");
    QTest::newRow("8b 12") << "qwen3-vl-8b" << 12 << 1.43;
    QTest::newRow("8b 18") << "qwen3-vl-8b" << 18 << 1.87;
    QTest::newRow("8b 24") << "qwen3-vl-8b" << 24 << 2.70;
    QTest::newRow("2b 9") << "qwen3-vl-2b" << 9 << 1.38;
    QTest::newRow("2b 14") << "qwen3-vl-2b" << 14 << 1.80;
    QTest::newRow("full") << "qwen3-vl-2b" << 0 << 1.0;
    QTest::newRow("for free") << "qwen3-vl-2b" << 1 << 1.0;
  }
  void limits() {
    QFETCH(QString, shape);
    QFETCH(int, depth);
    QFETCH(double, limit);
    const auto config = published_shape(shape.toStdString());
    QVERIFY(config.ok());
    QVERIFY(std::abs(prefill_limit(config->decoder, 2048, depth, 0.0) - limit) < 0.006);
    if (depth > 1) {
      // A row on its own costs something at every pruned layer, and less the longer the prompt is.
      QVERIFY(prefill_limit(config->decoder, 64, depth, 1e9) < prefill_limit(config->decoder, 64, depth, 0.0));
    }
  }

  void sliding_windows_cap_attention() {
    const auto config = published_shape("gemma3-270m");
    QVERIFY(config.ok());
    const DecoderSpec& spec = config->decoder;
    QCOMPARE(layer_cost(spec, 0, 512), layer_cost(spec, 5, 512));  // sliding, global: the window holds it all
    const double matrices = 640.0 * (2 * 1024 + 2 * 256 + 3 * 2048);
    QCOMPARE(layer_cost(spec, 5, 2048), matrices + 2048.0 * 1024);
    QCOMPARE(layer_cost(spec, 0, 2048), matrices + 2.0 * (512 - 512.0 * 512 / 4096) * 1024);
  }

  // Parameter counts that the published checkpoints have (text part where a tower is not timed).
  void published_sizes_data() {
    QTest::addColumn<QString>("shape");
    QTest::addColumn<qint64>("parameters");
    QTest::addColumn<int>("layers");
    QTest::newRow("gemma3-270m") << "gemma3-270m" << qint64{268098176} << 18;
    QTest::newRow("gemma3-1b") << "gemma3-1b" << qint64{999885952} << 26;
    QTest::newRow("gemma3-4b") << "gemma3-4b" << qint64{3880263168} << 34;
    QTest::newRow("llama-3.1-8b") << "llama-3.1-8b" << qint64{8030261248} << 32;
    QTest::newRow("qwen3-vl-2b") << "qwen3-vl-2b" << qint64{1720574976} << 28;
    QTest::newRow("qwen3-vl-8b") << "qwen3-vl-8b" << qint64{8190735360} << 36;
  }
  void published_sizes() {
    QFETCH(QString, shape);
    QFETCH(qint64, parameters);
    QFETCH(int, layers);
    const auto config = published_shape(shape.toStdString());
    QVERIFY2(config.ok(), config.ok() ? "" : config.error().message.c_str());
    QCOMPARE(config->decoder.layer_count(), layers);
    QCOMPARE(qint64(decoder_parameters(config->decoder)), parameters);
  }

  void sizes_with_a_tower() {
    // Text and SigLIP; Qwen3-VL's text part above and a tower of 24 or 27 blocks with four mergers.
    QCOMPARE(qint64(*model_parameters(*published_shape("gemma3-4b"))), qint64{4300079472});
    QCOMPARE(qint64(*model_parameters(*published_shape("qwen3-vl-2b"))), qint64{2127532032});
    QCOMPARE(qint64(*model_parameters(*published_shape("qwen3-vl-8b"))), qint64{8767123696});
  }

  void every_shape_is_read() {
    for (const char* name : {"qwen3-vl-2b", "qwen3-vl-4b", "qwen3-vl-8b", "qwen3-vl-32b", "gemma3-270m", "gemma3-1b",
                             "gemma3-4b", "gemma3-12b", "gemma3-27b", "llama-3.1-8b"}) {
      const auto config = published_shape(name);
      QVERIFY2(config.ok(), config.ok() ? "" : config.error().message.c_str());
      const std::string text_only[] = {"gemma3-270m", "gemma3-1b", "llama-3.1-8b"};
      const bool is_text = std::find(std::begin(text_only), std::end(text_only), name) != std::end(text_only);
      QCOMPARE(config->vision_config.has_value(), !is_text);
    }
    QVERIFY(published_shape("gpt-5").error().message.find("gemma3-27b") != std::string::npos);
  }

  void lists() {
    QCOMPARE(*parse_ids("1,20,3"), (std::vector<int32_t>{1, 20, 3}));
    QCOMPARE(*parse_ids(""), std::vector<int32_t>{});
    for (const char* wrong : {"1,", ",1", "1,,2", "a", "1 2", "-1", "99999999999", "1.5"}) {
      QVERIFY2(!parse_ids(wrong).ok(), wrong);
    }
    QCOMPARE(*parse_depths("0,7"), (std::vector<int>{0, 7}));
  }

  void plans() {
    PlanOptions options;
    QVERIFY(make_plan(options, 8)->empty());
    QVERIFY(!options.given());
    options.depth = 3;
    QVERIFY(options.given());
    options.boundary = {Boundary::Kind::count, 5};
    options.per_layer_kv = true;
    const auto plan = make_plan(options, 8);
    QCOMPARE(plan->layers, (std::vector<int>{5, 6, 7}));
    QCOMPARE(plan->boundary.tokens, int64_t{5});
    QVERIFY(plan->per_layer_kv);
    QVERIFY(!plan->separate_boundary);
    options.depth = 9;
    QVERIFY(!make_plan(options, 8).ok());
    options.layers = std::vector<int>{6, 1};
    QCOMPARE(make_plan(options, 8)->layers, (std::vector<int>{1, 6}));
  }

  void sampling_defaults() {
    GenerationDefaults model{.sample = true, .temperature = 0.7, .top_p = 0.8, .top_k = 20};
    SamplingOptions options;
    Sampling sampling = make_sampling(options, model, 5);
    QCOMPARE(sampling.temperature, 0.7);
    QCOMPARE(sampling.top_p, 0.8);
    QCOMPARE(sampling.top_k, 20);
    QCOMPARE(sampling.seed, uint64_t{5});
    options.temperature = 0.0;
    options.top_k = 0;
    sampling = make_sampling(options, model, 5);
    QCOMPARE(sampling.temperature, 0.0);
    QCOMPARE(sampling.top_k, 0);
    model.sample = false;
    QCOMPARE(make_sampling({}, model, 5).temperature, 0.0);
  }

  void conversations() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("talk.json");
    QVERIFY(test::write_file(path, R"([
      {"role": "system", "content": "Be brief."},
      {"role": "user", "content": ["Look: ", {"type": "image", "image": "a.png"}, {"type": "text", "text": "and"},
                                   {"type": "image"}]},
      {"role": "assistant", "content": [{"type": "text", "text": "Two."}]},
      {"role": "user", "content": ""}])"));
    const auto talk = read_messages_file(path.toStdString(), {"given.jpg"});
    QVERIFY2(talk.ok(), talk.ok() ? "" : talk.error().message.c_str());
    QCOMPARE(talk->messages.size(), size_t{4});
    QCOMPARE(talk->messages[1].parts.size(), size_t{4});
    QCOMPARE(talk->messages[1].parts[0].text, std::string("Look: "));
    QVERIFY(talk->messages[1].parts[1].kind == MessagePart::Kind::image);
    QCOMPARE(talk->images.size(), size_t{2});
    QCOMPARE(talk->images[0].string(), folder.filePath("a.png").toStdString());
    QCOMPARE(talk->images[1].string(), std::string("given.jpg"));

    QVERIFY(test::write_file(path, R"({"messages": [{"role": "user", "content": "hi"}]})"));
    QVERIFY(read_messages_file(path.toStdString(), {}).ok());
    const auto left_over = read_messages_file(path.toStdString(), {"more.png"});
    QVERIFY(!left_over.ok());
    QVERIFY(left_over.error().message.find("more.png") != std::string::npos);
  }

  void hostile_conversations_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("named");
    QTest::newRow("no json") << QByteArray("hello") << QByteArray("JSON");
    QTest::newRow("empty list") << QByteArray("[]") << QByteArray("empty");
    QTest::newRow("a text") << QByteArray("\"hi\"") << QByteArray("not a list");
    QTest::newRow("object") << QByteArray("{}") << QByteArray("not a list");
    QTest::newRow("no object") << QByteArray("[1]") << QByteArray("message 1");
    QTest::newRow("no role") << QByteArray(R"([{"content": "x"}])") << QByteArray("'role'");
    QTest::newRow("no content") << QByteArray(R"([{"role": "user"}])") << QByteArray("'content'");
    QTest::newRow("null") << QByteArray(R"([{"role": "user", "content": null}])") << QByteArray("'content'");
    QTest::newRow("bad part") << QByteArray(R"([{"role": "user", "content": [3]}])") << QByteArray("message 1");
    QTest::newRow("no type") << QByteArray(R"([{"role": "user", "content": [{}]}])") << QByteArray("'type'");
    QTest::newRow("no text") << QByteArray(R"([{"role": "user", "content": [{"type": "text"}]}])")
                             << QByteArray("'text'");
    QTest::newRow("video") << QByteArray(R"([{"role": "user", "content": [{"type": "video", "video": "a.mp4"}]}])")
                           << QByteArray("video");
    QTest::newRow("other") << QByteArray(R"([{"role": "user", "content": [{"type": "audio"}]}])")
                           << QByteArray("'audio'");
    QTest::newRow("tools") << QByteArray(R"([{"role": "assistant", "content": "", "tool_calls": [1]}])")
                           << QByteArray("tool_calls");
    QTest::newRow("no file") << QByteArray(R"([{"role": "user", "content": [{"type": "image"}]}])")
                             << QByteArray("no --image");
    QTest::newRow("image as number") << QByteArray(R"([{"role": "user", "content": [{"type": "image", "image": 4}]}])")
                                     << QByteArray("file name");
    QTest::newRow("url") << QByteArray(R"([{"role": "user", "content": [{"type": "image", "url": "data:x"}]}])")
                         << QByteArray("not a file");
    QTest::newRow("deep") << QByteArray(100000, '[') << QByteArray("talk.json");
  }
  void hostile_conversations() {
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, named);
    const QTemporaryDir folder;
    const QString path = folder.filePath("talk.json");
    QVERIFY(test::write_file(path, json));
    const auto talk = read_messages_file(path.toStdString(), {});
    QVERIFY(!talk.ok());
    const std::string& message = talk.error().message;
    QVERIFY2(message.find(named.toStdString()) != std::string::npos, message.c_str());
    QVERIFY2(message.find("talk.json") != std::string::npos, message.c_str());
  }
};

QTEST_APPLESS_MAIN(TestCliUnits)
#include "tst_cli_units.moc"
