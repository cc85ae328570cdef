// Ids and texts against the `tokenizers` package on the same tokenizer.json.
#include <ctime>
#include <thread>

#include <QtTest>

#include "engine/tokenizer/utf8.h"
#include "engine/tokenizer/utf8_stream.h"
#include "tests/engine/tokenizer/golden_files.h"

using namespace poplens;
using namespace poplens::test;
using nlohmann::json;
using Special = Tokenizer::Special;

namespace {

std::string repeated(const json& unit, const json& times) {
  std::string text;
  for (int k = 0; k < times.get<int>(); ++k) text += unit.get<std::string>();
  return text;
}

// The same texts as code_point_texts() in tests/reference/tokenizer_strings.py.
std::pair<std::string, std::string> code_point_texts(char32_t first) {
  std::pair<std::string, std::string> texts;
  for (char32_t c = first; c < first + 0x1000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string character;
    append_utf8(character, c);
    texts.first.append("a").append(character).append("1 ");
    texts.second.append("a\u0301").append(character).append("\u0327 ").append(character).append("\u0301");
  }
  return texts;
}

}  // namespace

class TestTokenizer : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase_data();
  void init();
  void strings();
  void long_texts();
  void invalid_utf8();
  void decoding();
  void code_points();
  void streaming();
  void threads();
  void token_properties();

 private:
  QString name_;
  std::map<QString, std::optional<Tokenizer>> loaded_;
  std::optional<Tokenizer> tokenizer_;
};

void TestTokenizer::initTestCase_data() {
  QTest::addColumn<QString>("name");
  for (const char* name : {"qwen3", "llama3_like", "gemma3_like", "gpt2_like", "gemma3"}) QTest::newRow(name) << name;
}

void TestTokenizer::init() {
  QFETCH_GLOBAL(QString, name);
  name_ = name;
  if (!loaded_.contains(name)) {
    const ModelFolder folder(name);
    if (name != "gemma3" || folder.present()) {
      QVERIFY2(folder.problem().isEmpty(), qPrintable(folder.problem()));
      const auto tokenizer = Tokenizer::from_folder(folder.path());
      QVERIFY2(tokenizer.ok(), tokenizer.ok() ? "" : tokenizer.error().message.c_str());
      loaded_[name] = *tokenizer;
    } else {
      loaded_[name] = std::nullopt;
    }
  }
  tokenizer_ = loaded_[name];
  if (!tokenizer_) QSKIP("set POPLENS_TOKENIZERS to a folder that holds gemma3/tokenizer.json");
}

void TestTokenizer::strings() {
  const json cases = golden(name_ + "/strings.json");
  QVERIFY(cases.size() >= (name_.endsWith("_like") ? 300 : 5000));
  for (const json& entry : cases) {
    const auto text = entry[0].get<std::string>();
    const auto as_text = entry[1].get<std::vector<int32_t>>();
    const auto parsed = entry[2].is_null() ? as_text : entry[2].get<std::vector<int32_t>>();
    const auto decoded = entry[3].is_null() ? text : entry[3].get<std::string>();
    const auto ids = tokenizer_->encode(text, Special::text);
    QVERIFY2(ids == as_text, qPrintable(shown(text, ids) + " expected " + shown("", as_text)));
    const auto ids_parsed = tokenizer_->encode(text, Special::parse);
    QVERIFY2(ids_parsed == parsed, qPrintable(shown(text, ids_parsed) + " expected " + shown("", parsed)));
    QCOMPARE(tokenizer_->decode(as_text, true), decoded);
  }
}

void TestTokenizer::long_texts() {
  for (const json& entry : golden(name_ + "/long.json")) {
    const std::string text = repeated(entry[0], entry[1]);
    const auto ids = tokenizer_->encode(text, Special::text);
    QCOMPARE(ids.size(), entry[2].get<size_t>());
    QCOMPARE(ids_digest(ids), entry[3].get<std::string>());
  }
  // Half a million letters without a border: quadratic work would take minutes of the processor's time.
  const std::clock_t start = std::clock();
  tokenizer_->encode(std::string(500'000, 'a'), Special::text);
  QVERIFY((std::clock() - start) / CLOCKS_PER_SEC < 20);
}

void TestTokenizer::invalid_utf8() {
  const json cases = golden(name_ + "/invalid.json");
  QVERIFY(cases.size() >= 100);
  for (const json& entry : cases) {
    const QByteArray bytes = QByteArray::fromHex(QByteArray::fromStdString(entry[0].get<std::string>()));
    QCOMPARE(tokenizer_->encode({bytes.constData(), static_cast<size_t>(bytes.size())}, Special::text),
             entry[1].get<std::vector<int32_t>>());
  }
}

void TestTokenizer::decoding() {
  for (const json& entry : golden(name_ + "/decode.json")) {
    const auto ids = entry[0].get<std::vector<int32_t>>();
    QCOMPARE(tokenizer_->decode(ids, true), entry[1].get<std::string>());
    QCOMPARE(tokenizer_->decode(ids, false), entry[2].get<std::string>());
  }
  const std::vector<int32_t> outside = {-1, tokenizer_->vocab_size(), INT32_MAX, INT32_MIN};
  QCOMPARE(tokenizer_->decode(outside, true), std::string());
  for (const int32_t id : outside) QCOMPARE(tokenizer_->token_bytes(id), std::string());
}

void TestTokenizer::code_points() {
  if (name_ != "qwen3") return;  // the classes of characters do not depend on the vocabulary
  for (const json& entry : golden(name_ + "/code_points.json")) {
    const auto first = entry[0].get<char32_t>();
    const auto [between, marked] = code_point_texts(first);
    const std::string where = "from code point " + std::to_string(first);
    QVERIFY2(ids_digest(tokenizer_->encode(between, Special::text)) == entry[1], where.c_str());
    QVERIFY2(ids_digest(tokenizer_->encode(marked, Special::text)) == entry[2], where.c_str());
  }
}

// Token by token, the stream gives whole characters, and in the end the decoded text.
void TestTokenizer::streaming() {
  for (const json& entry : golden(name_ + "/strings.json")) {
    const auto ids = entry[1].get<std::vector<int32_t>>();
    Utf8Stream stream;
    std::string text;
    for (const int32_t id : ids) {
      const std::string part = stream.push(tokenizer_->token_bytes(id));
      QVERIFY(is_valid_utf8(part));
      text += part;
    }
    QCOMPARE(stream.flush(), std::string());
    QCOMPARE(text, tokenizer_->decode(ids, true));
  }
}

void TestTokenizer::threads() {
  const json cases = golden(name_ + "/strings.json");
  const Tokenizer fresh = *tokenizer_;
  std::atomic<int> wrong = 0;
  const auto work = [&] {
    for (const json& entry : cases) {
      if (fresh.encode(entry[0].get<std::string>(), Special::text) != entry[1].get<std::vector<int32_t>>()) ++wrong;
    }
  };
  std::thread other(work);
  work();
  other.join();
  QCOMPARE(wrong.load(), 0);
}

void TestTokenizer::token_properties() {
  const auto check = [&](const char* token, std::optional<int32_t> id, bool special) {
    QCOMPARE(tokenizer_->token_id(token), id);
    if (!id) return;
    QCOMPARE(tokenizer_->is_special(*id), special);
    QCOMPARE(tokenizer_->token_bytes(*id), std::string(token));
  };
  check("no such token", std::nullopt, false);
  if (name_ == "qwen3") {
    QCOMPARE(tokenizer_->vocab_size(), 151669);
    check("<|im_start|>", 151644, true);
    check("<|image_pad|>", 151655, true);
    check("<think>", 151667, false);
    check("user", 872, false);
    QCOMPARE(tokenizer_->token_id("\u0120Hello"), 21927);  // as the file spells a space
    QCOMPARE(tokenizer_->token_bytes(21927), std::string(" Hello"));
    QVERIFY(!tokenizer_->bos_id());
  } else if (name_ == "gemma3") {
    QCOMPARE(tokenizer_->vocab_size(), 262145);
    check("<end_of_turn>", 106, true);
    check("<image_soft_token>", 262144, true);
    check("<mask>", 4, false);
    QCOMPARE(tokenizer_->token_bytes(238 + 0xE4), std::string("\xE4"));
  }
  const bool has_bos = name_ != "qwen3" && name_ != "gpt2_like";
  QCOMPARE(tokenizer_->adds_bos(), has_bos);
  QCOMPARE(tokenizer_->bos_id(), tokenizer_->token_id(name_.startsWith("llama") ? "<|begin_of_text|>" : "<bos>"));
}

QTEST_GUILESS_MAIN(TestTokenizer)
#include "tst_tokenizer.moc"
