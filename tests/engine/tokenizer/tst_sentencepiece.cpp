// tokenizer.model: ids against the sentencepiece library on the same file, and against the tokenizer.json that the same
// model has.
#include <algorithm>
#include <fstream>
#include <limits>
#include <map>
#include <memory>

#include <QtTest>
#include <sentencepiece_processor.h>

#include "engine/tokenizer/utf8.h"
#include "tests/engine/tokenizer/golden_files.h"
#include "tests/engine/tokenizer/sentencepiece_bytes.h"

using namespace poplens;
using namespace poplens::test;
using nlohmann::json;
using Special = Tokenizer::Special;

namespace {

const char* const kMarks[] = {"<start_of_turn>", "<end_of_turn>", "<start_of_image>", "<end_of_image>"};

bool spells_mark(const std::string& text) {
  return std::any_of(std::begin(kMarks), std::end(kMarks), [&](auto mark) { return text.find(mark) != text.npos; });
}

std::vector<std::string> texts() {
  std::vector<std::string> all = {"", std::string("\0a\0", 3), "\u2581a \u2581\u2581 b\u2581",
                                  "<table> <mask>x</table>", "<0x41><pad>[multimodal]<unused0><eos>"};
  for (const json& entry : golden("gemma3/strings.json")) all.push_back(entry[0]);
  for (const char* unit : {" ", "\n", "\t", "\u2581", "a", "\u00e4", "\U0001F600", "ab "}) {
    std::string run;
    for (int n = 0; n < 70; ++n) all.push_back("a" + (run += unit) + "the" + run);
  }
  return all;
}

std::string bytes_of(const std::filesystem::path& path) {
  return read_all(QString::fromStdString(path.string())).toStdString();
}

// What loading says; empty if it succeeds. A sentence names the file, in one line.
std::string complaint(const std::string& bytes) {
  const auto tokenizer = Tokenizer::from_sentencepiece(bytes, "T.model");
  if (tokenizer.ok()) {
    tokenizer->encode("Hello w\u00f6rld <start_of_turn>\n\n  x", Special::parse);
    return {};
  }
  const std::string& message = tokenizer.error().message;
  const bool sentence = message.starts_with("T.model: ") && message.size() < 300 && message.find('\n') == message.npos;
  return sentence ? message : "not a sentence: " + message.substr(0, 200);
}

std::string small_model() {
  return read_all(QStringLiteral(POPLENS_TEST_DATA "/data/gemma3/tiny-v5/tokenizer.model")).toStdString();
}

}  // namespace

class TestSentencePiece : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase_data();
  void init();
  void same_as_sentencepiece();
  void same_as_tokenizer_json();
  void typed_marks_stay_letters();
  void invalid_utf8();
  void equal_scores();
  void truncated();
  void mutated();
  void refused_data();
  void refused();
  void folders();

 private:
  // A folder's tokenizer.model alone, and its tokenizer.json alone, with the configuration files that were beside them.
  struct Model {
    std::string bytes;
    std::optional<Tokenizer> from_pieces;
    std::optional<Tokenizer> from_json;
    sentencepiece::SentencePieceProcessor library;
  };

  QString name_;
  std::map<QString, std::unique_ptr<Model>> loaded_;
  Model* model_ = nullptr;
};

void TestSentencePiece::initTestCase_data() {
  QTest::addColumn<QString>("name");
  for (const char* name : {"gemma3/tiny-v4", "gemma3/tiny-v5", "gemma3"}) QTest::newRow(name) << name;
}

// Of the real Gemma-3 only the tokenizer.json is at hand: its model file is made of that.
void TestSentencePiece::init() {
  QFETCH_GLOBAL(QString, name);
  name_ = name;
  if (!loaded_.contains(name)) {
    const ModelFolder real(name == "gemma3" ? name : "");
    const bool is_real = name == "gemma3";
    if (is_real && !real.present()) QSKIP("set POPLENS_TOKENIZERS to a folder that holds gemma3/tokenizer.json");
    const std::filesystem::path source =
        is_real ? real.path() : std::filesystem::path(POPLENS_TEST_DATA "/data") / name.toStdString();
    const QTemporaryDir pieces_folder;
    const std::filesystem::path pieces_path = pieces_folder.path().toStdString();
    auto model = std::make_unique<Model>();
    model->bytes =
        is_real ? model_of(json::parse(bytes_of(source / "tokenizer.json"))) : bytes_of(source / "tokenizer.model");
    std::ofstream(pieces_path / "tokenizer.model", std::ios::binary) << model->bytes;
    const std::string config = bytes_of(source / "tokenizer_config.json");
    std::ofstream(pieces_path / "tokenizer_config.json") << config;
    const auto from_json = Tokenizer::from_folder(source);
    QVERIFY2(from_json.ok(), from_json.ok() ? "" : from_json.error().message.c_str());
    if (config.find("added_tokens_decoder") == config.npos) {
      const json added = {{"<image_soft_token>", from_json->vocab_size() - 1}};
      std::ofstream(pieces_path / "added_tokens.json") << added;
    }
    const auto from_pieces = Tokenizer::from_folder(pieces_path);
    QVERIFY2(from_pieces.ok(), from_pieces.ok() ? "" : from_pieces.error().message.c_str());
    const auto status = model->library.LoadFromSerializedProto(model->bytes);
    QVERIFY2(status.ok(), status.ToString().c_str());
    model->from_json = *from_json;
    model->from_pieces = *from_pieces;
    loaded_[name] = std::move(model);
  }
  model_ = loaded_[name].get();
}

void TestSentencePiece::same_as_sentencepiece() {
  size_t compared = 0;
  for (const std::string& text : texts()) {
    if (spells_mark(text)) continue;  // the library takes these for tokens
    std::vector<int> expected;
    QVERIFY(model_->library.Encode(text, &expected).ok());
    const auto ids = model_->from_pieces->encode(text, Special::text);
    QVERIFY2(ids == expected, qPrintable(shown(text, ids) + " expected " + shown("", expected)));
    std::string decoded;
    QVERIFY(model_->library.Decode(expected, &decoded).ok());
    QCOMPARE(model_->from_pieces->decode(ids, true), decoded);
    ++compared;
  }
  QVERIFY(compared > 4500);
}

void TestSentencePiece::same_as_tokenizer_json() {
  const Tokenizer& pieces = *model_->from_pieces;
  const Tokenizer& reference = *model_->from_json;
  for (const std::string& text : texts()) {
    if (text.find("\u2581") != text.npos) continue;  // typed beside spaces, the two packages part
    for (const Special special : {Special::text, Special::parse}) {
      const auto ids = pieces.encode(text, special);
      const auto expected = reference.encode(text, special);
      QVERIFY2(ids == expected, qPrintable(shown(text, ids) + " expected " + shown("", expected)));
      QCOMPARE(pieces.decode(ids, true), reference.decode(ids, true));
      QCOMPARE(pieces.decode(ids, false), reference.decode(ids, false));
    }
  }
  QCOMPARE(pieces.vocab_size(), reference.vocab_size());
  QCOMPARE(pieces.bos_id(), reference.bos_id());
  QVERIFY(pieces.adds_bos());
  if (name_ != "gemma3/tiny-v5") QVERIFY(reference.adds_bos());  // transformers saved that one without
  for (int32_t id = -1; id <= pieces.vocab_size(); ++id) {
    QCOMPARE(pieces.token_bytes(id), reference.token_bytes(id));
    QCOMPARE(pieces.is_special(id), reference.is_special(id));
  }
  for (const char* token : {"<start_of_turn>", "<start_of_image>", "<image_soft_token>", "<bos>", "\n\n", "no such"}) {
    QCOMPARE(pieces.token_id(token), reference.token_id(token));
  }
}

void TestSentencePiece::typed_marks_stay_letters() {
  for (const char* mark : kMarks) {
    const std::string text = std::string("a") + mark + "b";
    const auto as_letters = model_->from_pieces->encode(text, Special::text);
    const auto as_token = model_->from_pieces->encode(text, Special::parse);
    const auto id = model_->from_pieces->token_id(mark);
    QVERIFY(id && model_->from_pieces->is_special(*id));
    QVERIFY(std::count(as_letters.begin(), as_letters.end(), *id) == 0);
    QCOMPARE(std::count(as_token.begin(), as_token.end(), *id), 1);
    QCOMPARE(model_->from_pieces->decode(as_letters, false), text);
  }
}

void TestSentencePiece::invalid_utf8() {
  for (const json& entry : golden("gemma3/invalid.json")) {
    const QByteArray hex = QByteArray::fromHex(QByteArray::fromStdString(entry[0].get<std::string>()));
    const std::string text = hex.toStdString();
    std::vector<int> expected;
    QVERIFY(model_->library.Encode(replace_invalid_utf8(text), &expected).ok());
    QCOMPARE(model_->from_pieces->encode(text, Special::text), expected);
  }
}

// Merges of one score: the leftmost is first, whatever pieces they make.
void TestSentencePiece::equal_scores() {
  std::string bytes = piece_field("<pad>", 0, kControlPiece) + piece_field("<eos>", 0, kControlPiece) +
                      piece_field("<bos>", 0, kControlPiece) + piece_field("<unk>", 0, kUnknownPiece);
  for (int byte = 0; byte < 256; ++byte) {
    bytes += piece_field(QString::asprintf("<0x%02X>", byte).toStdString(), 0, kBytePiece);
  }
  for (const char* text : {"bc", "ab", "ca", "abc", "bca", "aa", "aaa"}) bytes += piece_field(text, -1, kNormalPiece);
  for (const char* text : {"a", "b", "c"}) bytes += piece_field(text, -9, kNormalPiece);
  bytes += trainer_field() + normalizer_field();
  sentencepiece::SentencePieceProcessor library;
  QVERIFY(library.LoadFromSerializedProto(bytes).ok());
  const auto tokenizer = Tokenizer::from_sentencepiece(bytes, "T.model");
  QVERIFY2(tokenizer.ok(), tokenizer.ok() ? "" : tokenizer.error().message.c_str());
  for (uint32_t round = 0; round < 2000; ++round) {
    std::string text;
    for (uint32_t k = 0, state = round * 2654435761u; k < 1 + round % 9; ++k, state /= 3) text += "abc"[state % 3];
    std::vector<int> expected;
    QVERIFY(library.Encode(text, &expected).ok());
    QCOMPARE(tokenizer->encode(text, Special::text), expected);
  }
}

void TestSentencePiece::truncated() {
  const std::string whole = small_model();
  QCOMPARE(complaint(whole), std::string());
  for (size_t length = 0; length < whole.size(); length += 1 + whole.size() / 997) {
    const std::string message = complaint(whole.substr(0, length));
    QVERIFY2(message.starts_with("T.model: "), (std::to_string(length) + " bytes: " + message).c_str());
  }
}

void TestSentencePiece::mutated() {
  const std::string whole = small_model();
  uint64_t state = 7;
  const auto below = [&](size_t bound) {
    return (state = state * 6364136223846793005u + 1442695040888963407u) / 65536 % bound;
  };
  for (int round = 0; round < 1000; ++round) {
    std::string bytes = whole;
    for (size_t k = 1 + below(3); k > 0; --k) {
      const size_t at = below(bytes.size());
      switch (below(3)) {
        case 0:
          bytes[at] = static_cast<char>(below(256));
          break;
        case 1:
          bytes.erase(at, 1 + below(20));
          break;
        default:
          bytes.insert(at, bytes.substr(below(bytes.size()), 1 + below(20)));
      }
    }
    const std::string message = complaint(bytes);
    QVERIFY2(!message.starts_with("not a sentence"), message.c_str());
  }
}

void TestSentencePiece::refused_data() {
  QTest::addColumn<QByteArray>("appended");
  QTest::addColumn<QString>("part_of_sentence");
  const auto row = [](const char* name, const std::string& appended, const char* part) {
    QTest::newRow(name) << QByteArray::fromStdString(appended) << part;
  };
  const auto trainer = [](uint32_t field, uint64_t value) { return bytes_field(2, number_field(field, value)); };
  const auto normalizer = [](uint32_t field, uint64_t value) { return bytes_field(3, number_field(field, value)); };
  row("a unigram model", trainer(3, 1), "of the type BPE");
  row("no byte fallback", trainer(35, 0), "256 byte pieces, expected 0");
  row("spaces behind words", trainer(24, 1), "U+2581 before a word");
  row("a space before all", normalizer(3, 1), "before every text");
  row("spaces taken out", normalizer(4, 1), "taken out");
  row("spaces as they are", normalizer(5, 0), "U+2581");
  row("a character map", bytes_field(3, bytes_field(2, "map")), "character map");
  row("an empty piece", piece_field("", -1, kNormalPiece), "has 0 bytes");
  row("a long piece", piece_field(std::string(257, 'x'), -1, kNormalPiece), "has 257 bytes; 1 to 256");
  row("a long user-defined piece", piece_field(std::string(4097, 'x'), 0, kUserDefinedPiece), "1 to 4096");
  row("not UTF-8", piece_field("\xC3", -1, kNormalPiece), "not valid UTF-8");
  row("a space", piece_field("a b", 0, kUserDefinedPiece), "has a space");
  row("not a number", piece_field("zzzz", std::numeric_limits<float>::quiet_NaN(), kNormalPiece), "score");
  row("an unused piece", piece_field("zzzz", -1, kUnusedPiece), "type 5");
  row("an unknown type", piece_field("zzzz", -1, 1ull << 40), "type 1099511627776");
  row("a second unknown", piece_field("<unk2>", 0, kUnknownPiece), "2 unknown pieces");
  row("a byte too many", piece_field("<0x0>", 0, kBytePiece), "257 byte pieces");
  row("twice", piece_field("<pad>", 0, kControlPiece), "stands there twice");
  row("a group", varint(1 << 3 | 3), "damaged or cut off");
  row("a field 0", varint(0) + varint(0), "damaged or cut off");
  row("a long number", varint(9 << 3) + std::string(10, '\xFF') + '\x01', "damaged or cut off");
  row("a length past the end", varint(1 << 3 | 2) + varint(UINT64_MAX), "damaged or cut off");
  row("damage in a piece", bytes_field(1, "\x0A\x7F"), "is damaged");
}

void TestSentencePiece::refused() {
  QFETCH(QByteArray, appended);
  QFETCH(QString, part_of_sentence);
  const std::string message = complaint(small_model() + appended.toStdString());
  QVERIFY2(message.find(part_of_sentence.toStdString()) != std::string::npos, message.c_str());
  QVERIFY2(message.starts_with("T.model: "), message.c_str());
}

void TestSentencePiece::folders() {
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.path().toStdString();
  const auto load = [&] {
    const auto tokenizer = Tokenizer::from_folder(path);
    return tokenizer.ok() ? std::string() : tokenizer.error().message;
  };
  const auto write = [&](const char* name, const std::string& bytes) {
    std::ofstream(path / name, std::ios::binary | std::ios::trunc) << bytes;
  };
  write("tokenizer.model", "Hello");
  QVERIFY2(load().find("tokenizer.model: not a SentencePiece model") != std::string::npos, load().c_str());
  write("tokenizer.model", small_model());
  QCOMPARE(load(), std::string());
  QVERIFY(Tokenizer::from_folder(path)->adds_bos());
  write("tokenizer_config.json", R"({"add_bos_token": false})");
  QVERIFY(!Tokenizer::from_folder(path)->adds_bos());
  for (const char* config : {R"({"added_tokens_decoder": {"x": {"content": "<x>"}}})",
                             R"({"added_tokens_decoder": {"4194304": {"content": "<x>"}}})",
                             R"({"added_tokens_decoder": {"9999": {"content": 7}}})", "["}) {
    write("tokenizer_config.json", config);
    QVERIFY2(load().find("tokenizer_config.json: ") != std::string::npos, load().c_str());
  }
  write("tokenizer_config.json", "{}");
  for (const char* added : {R"({"<x>": -1})", R"({"<x>": 1e9})", R"({"": 9999})"}) {
    write("added_tokens.json", added);
    QVERIFY2(load().find("added_tokens.json: ") != std::string::npos, load().c_str());
  }
  write("added_tokens.json", R"({"<x>": 9999})");
  QCOMPARE(Tokenizer::from_folder(path)->vocab_size(), 10000);
  write("tokenizer.json", "{}");  // where both are there this one is read
  QVERIFY2(load().find("tokenizer.json: ") != std::string::npos, load().c_str());
}

QTEST_GUILESS_MAIN(TestSentencePiece)
#include "tst_sentencepiece.moc"
