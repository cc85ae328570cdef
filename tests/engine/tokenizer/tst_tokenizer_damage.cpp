// Hostile and damaged files, and hostile texts: one clear sentence, or the right answer; never a crash or a hang.
#include <ctime>

#include <QtTest>

#include "engine/base/json_reader.h"
#include "engine/tokenizer/added_token_matcher.h"
#include "engine/tokenizer/regex_splitter.h"
#include "tests/engine/tokenizer/golden_files.h"

using namespace poplens;
using namespace poplens::test;
using nlohmann::json;
using Special = Tokenizer::Special;

namespace {

std::string small_file(const QString& name) {
  return read_all(data_folder(name + "/tokenizer.json")).toStdString();
}

// What loading says: empty if it succeeds. A sentence names the file and is one line of printable length.
std::string complaint(const std::string& text) {
  const auto tokenizer = Tokenizer::from_json(text, "T.json");
  if (tokenizer.ok()) {
    tokenizer->encode("Hello w\u00f6rld <|eot_id|>\n", Special::parse);
    return {};
  }
  const std::string& message = tokenizer.error().message;
  const bool sentence = message.starts_with("T.json: ") && message.size() < 500 && message.find('\n') == message.npos;
  return sentence ? message : "not a sentence: " + message.substr(0, 200);
}

class Random {
 public:
  size_t below(size_t bound) { return (state_ = state_ * 6364136223846793005u + 1442695040888963407u) / 65536 % bound; }

 private:
  uint64_t state_ = 7;
};

}  // namespace

class TestTokenizerDamage : public QObject {
  Q_OBJECT

 private slots:
  void truncated_data();
  void truncated();
  void mutated_data() { truncated_data(); }
  void mutated();
  void refused_data();
  void refused();
  void hostile_json();
  void colliding_tokens();
  void folders();
  void endless_expression();
  void empty_matches();
  void overlapping_added_tokens();
};

void TestTokenizerDamage::truncated_data() {
  QTest::addColumn<QString>("name");
  for (const char* name : {"llama3_like", "gemma3_like", "gpt2_like"}) QTest::newRow(name) << name;
}

void TestTokenizerDamage::truncated() {
  QFETCH(QString, name);
  const std::string whole = small_file(name);
  QCOMPARE(complaint(whole), std::string());
  for (size_t length = 0; length < whole.size(); length += 1 + whole.size() / 211) {
    const std::string message = complaint(whole.substr(0, length));
    QVERIFY2(message.starts_with("T.json: not valid JSON at byte "), message.c_str());
  }
}

// Bytes flipped, removed and doubled, values swapped: loads or complains, both in order.
void TestTokenizerDamage::mutated() {
  QFETCH(QString, name);
  const std::string whole = small_file(name);
  const std::vector<std::string> values = {"null", "true", "-1",    "1e999",      "4294967296",
                                           "[]",   "{}",   "\"x\"", "\"\\ud800\""};
  Random random;
  for (int round = 0; round < 250; ++round) {
    std::string text = whole;
    for (size_t k = 1 + random.below(3); k > 0; --k) {
      const size_t at = random.below(text.size());
      switch (random.below(4)) {
        case 0:
          text[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          text.erase(at, 1 + random.below(40));
          break;
        case 2:
          text.insert(at, text.substr(random.below(text.size()), 1 + random.below(40)));
          break;
        default: {
          const size_t colon = text.find(':', at);
          if (colon == std::string::npos) break;
          text.replace(colon + 1, text.find_first_of(",}]", colon) - colon - 1, values[random.below(values.size())]);
        }
      }
    }
    const std::string message = complaint(text);
    QVERIFY2(!message.starts_with("not a sentence"), message.c_str());
  }
}

void TestTokenizerDamage::refused_data() {
  QTest::addColumn<QString>("pointer");
  QTest::addColumn<QString>("value");
  QTest::addColumn<QString>("part_of_sentence");
  const auto row = [](const char* pointer, const char* value, const char* part) {
    QTest::addRow("%s = %s", pointer, value) << pointer << value << part;
  };
  row("/model", "null", "has no \"model\"");
  row("/model/type", R"("Unigram")", "Unigram is not supported");
  row("/model/vocab", "[[\"a\", -1.5]]", "not a BPE vocabulary");
  row("/model/vocab", "{}", "missing or empty");
  row("/model/vocab", "7", "not a BPE vocabulary");
  row("/model/vocab/a", "-3", "not a BPE vocabulary");
  row("/model/vocab/a", "0.5", "not a BPE vocabulary");
  row("/model/vocab/a", "4194304", "past the 4194304");
  row("/model/vocab/a", "18446744073709551615", "past the 4194304");
  row("/model/vocab/a", "0", "two tokens of model.vocab have the id 0");
  row("/model/merges", "{}", "not a list of pairs");
  row("/model/merges/0", "[\"a\"]", "not a list of pairs");
  row("/model/merges/0", "[\"a\", \"b\", \"c\"]", "not a list of pairs");
  row("/model/merges/0", "[\"a\", [\"b\"]]", "not a list of pairs");
  row("/model/merges/0", "\"ab\"", "not a list of pairs");
  row("/model/merges/0", "\"a b c\"", "not a list of pairs");
  row("/model/merges/0", "[\"zzzz\", \"a\"]", "not in model.vocab");
  row("/model/dropout", "0.1", "dropout");
  row("/model/unk_token", "\"zzzz\"", "unk_token");
  row("/model/end_of_word_suffix", "\"</w>\"", "end_of_word_suffix");
  row("/normalizer", R"({"type": "NFKC"})", "NFKC");
  row("/normalizer", R"({"type": "Replace", "pattern": {"String": ""}, "content": "x"})", "Replace");
  row("/pre_tokenizer", R"({"type": "Metaspace"})", "Metaspace");
  row("/pre_tokenizer/pretokenizers/0/pattern/Regex", "\"(\"", "expression is wrong at byte 1");
  row("/pre_tokenizer/pretokenizers/0/behavior", "\"Removed\"", "Removed");
  row("/pre_tokenizer/pretokenizers/1/add_prefix_space", "true", "add_prefix_space");
  row("/decoder", "null", "decoder");
  row("/decoder", R"({"type": "Sequence", "decoders": []})", "only one is ByteLevel");
  row("/added_tokens", "{}", "added_tokens is not a list");
  row("/added_tokens/0/id", "-1", "added_tokens");
  row("/added_tokens/0/id", "99999999999", "added_tokens");
  row("/added_tokens/0/content", "\"\"", "0 bytes");
  row("/added_tokens/0/lstrip", "true", "lstrip");
  row("/added_tokens/1/id", "701", "stands there twice");
  row("/added_tokens/0/id", "5", "another text in model.vocab");
}

void TestTokenizerDamage::refused() {
  QFETCH(QString, pointer);
  QFETCH(QString, value);
  QFETCH(QString, part_of_sentence);
  json file = json::parse(small_file("llama3_like"));
  file[json::json_pointer(pointer.toStdString())] = json::parse(value.toStdString());
  const std::string message = complaint(file.dump());
  QVERIFY2(message.find(part_of_sentence.toStdString()) != std::string::npos, message.c_str());
}

void TestTokenizerDamage::hostile_json() {
  const std::string deep(1'000'000, '[');
  QCOMPARE(complaint(deep), std::string("T.json: nested more than 64 deep"));
  std::string deep_objects;
  for (int k = 0; k < 100'000; ++k) deep_objects += "{\"a\":";
  QCOMPARE(complaint(deep_objects), std::string("T.json: nested more than 64 deep"));
  std::string many = "[0";
  for (int k = 0; k < 1'100'000; ++k) many += ",0";
  QCOMPARE(complaint(many), std::string("T.json: more than 1000000 values"));
  QVERIFY(complaint("\"" + std::string(5'000'000, 'x')).starts_with("T.json: not valid JSON at byte 500000"));
  QVERIFY(!complaint("").empty() && !complaint("7").empty() && !complaint("\xFF").empty());
  json long_token = json::parse(small_file("llama3_like"));
  long_token["added_tokens"][0]["content"] = std::string(5000, 'x');
  QVERIFY(complaint(long_token.dump()).find("5000 bytes") != std::string::npos);
  long_token = json::parse(small_file("llama3_like"));
  long_token["model"]["vocab"][std::string(5000, 'x')] = 2000;
  QVERIFY(!complaint(long_token.dump()).empty());
}

// Token texts that all fall on one place of the table are refused; as many others are not.
void TestTokenizerDamage::colliding_tokens() {
  constexpr size_t kTokens = 1500, kSlots = 4096;
  const auto vocabulary = [&](bool colliding) {
    json vocab;
    for (size_t k = 0; vocab.size() < kTokens; ++k) {
      const std::string text = std::to_string(k);
      if (!colliding || std::hash<std::string_view>{}(text) % kSlots < 8) vocab[text] = vocab.size();
    }
    json file = json::parse(small_file("llama3_like"));
    file["model"] = {{"type", "BPE"}, {"vocab", vocab}, {"merges", json::array()}};
    file["added_tokens"] = json::array();
    file["post_processor"] = nullptr;
    return file.dump();
  };
  QCOMPARE(complaint(vocabulary(false)), std::string());
  QVERIFY(complaint(vocabulary(true)).find("looking one up would take too long") != std::string::npos);
}

void TestTokenizerDamage::folders() {
  const QTemporaryDir folder;
  const auto load = [&] {
    const auto tokenizer = Tokenizer::from_folder(folder.path().toStdString());
    return tokenizer.ok() ? QString() : QString::fromStdString(tokenizer.error().message);
  };
  QVERIFY(load().contains("tokenizer.json"));
  QVERIFY(QDir(folder.path()).mkdir("tokenizer.json"));
  QVERIFY(load().contains("tokenizer.json"));
  QVERIFY(QDir(folder.path()).rmdir("tokenizer.json"));
  QVERIFY(QFile::copy(data_folder("gpt2_like/tokenizer.json"), folder.filePath("tokenizer.json")));
  QCOMPARE(load(), QString());
  QFile config(folder.filePath("tokenizer_config.json"));
  QVERIFY(config.open(QIODevice::WriteOnly));
  config.write("{\"bos_token\": {\"content\": \"<|endoftext|>\"}, \"add_bos_token\": true}");
  config.close();
  const auto tokenizer = Tokenizer::from_folder(folder.path().toStdString());
  QVERIFY(tokenizer.ok());
  QVERIFY(tokenizer->bos_id() && tokenizer->bos_id() == tokenizer->token_id("<|endoftext|>"));
  QVERIFY(tokenizer->adds_bos());
  QVERIFY(config.open(QIODevice::WriteOnly));
  config.write("{\"bos_token\": ");
  config.close();
  QVERIFY(load().contains("tokenizer_config.json: not valid JSON"));
}

// An expression that would backtrack for ages: the text comes through whole, soon.
void TestTokenizerDamage::endless_expression() {
  const auto splitter = RegexSplitter::compile("(a+)+b|(a|aa)+c|x");
  QVERIFY(splitter.ok());
  const std::clock_t start = std::clock();
  for (const std::string& text : {std::string(200, 'a'), "xx" + std::string(50'000, 'a') + "xx", std::string("aab")}) {
    std::string joined;
    splitter->split(text, [&](std::string_view piece) { joined += piece; });
    QCOMPARE(joined, text);
  }
  QVERIFY((std::clock() - start) / CLOCKS_PER_SEC < 20);
  const auto recursive = RegexSplitter::compile("^(?:(?=(a))|b)*+(?R)?");
  if (recursive.ok()) recursive->split(std::string(100'000, 'b'), [](std::string_view) {});
}

void TestTokenizerDamage::empty_matches() {
  const auto pieces = [](const char* expression, std::string_view text) {
    std::string joined;
    RegexSplitter::compile(expression)->split(text, [&](std::string_view piece) { joined.append(piece).append("|"); });
    return joined;
  };
  QCOMPARE(pieces("b*", "abba"), std::string("a|bb|a|"));
  QCOMPARE(pieces("(?=b)", "abab"), std::string("a|ba|b|"));
  QCOMPARE(pieces("", "\u4e2d\u6587"), std::string("\u4e2d|\u6587|"));
  QCOMPARE(pieces("b\\K", "abba"), std::string("ab|ba|"));  // a match that ends where it began is empty
}

void TestTokenizerDamage::overlapping_added_tokens() {
  AddedTokenMatcher matcher;
  matcher.add("<a>", 1);
  matcher.add("<a><b>", 2);
  matcher.add("<b>x", 3);
  matcher.add("b>", 4);
  const auto found = [&](std::string_view text, int32_t hidden = -2) {
    std::string result;
    matcher.split(
        text, [&](int32_t id) { return id == hidden; },
        [&](std::string_view stretch, int32_t id) {
          result.append(stretch).append(id == kNoToken ? "" : "#" + std::to_string(id)).append(" ");
        });
    return result;
  };
  QCOMPARE(found("<a><b>x"), std::string("<a><b>#2 x "));  // the longest from the left
  QCOMPARE(found("<a><b"), std::string("<a>#1 <b "));
  QCOMPARE(found("<a><b>x", 2), std::string("<a><b>x "));  // hidden, and what it covers with it
  QCOMPARE(found("y<b>x<b>"), std::string("y <b>x#3 < b>#4 "));
  QCOMPARE(found(""), std::string());
}

QTEST_GUILESS_MAIN(TestTokenizerDamage)
#include "tst_tokenizer_damage.moc"
