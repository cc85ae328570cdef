// Prompts against the published templates as transformers renders them.
#include <QtTest>

#include "engine/tokenizer/chat_template.h"
#include "tests/engine/tokenizer/golden_files.h"

using namespace poplens;
using namespace poplens::test;
using nlohmann::json;

namespace {

// The chat goldens' spelling: [[role, [text or null for a picture]]].
std::vector<Message> messages_of(const json& conversation) {
  std::vector<Message> messages;
  for (const json& turn : conversation) {
    Message message{turn[0].get<std::string>(), {}};
    for (const json& part : turn[1]) {
      const bool image = part.is_null();
      message.parts.push_back({image ? MessagePart::Kind::image : MessagePart::Kind::text,
                               image ? std::string() : part.get<std::string>()});
    }
    messages.push_back(std::move(message));
  }
  return messages;
}

size_t images_in(const std::vector<Message>& messages) {
  size_t count = 0;
  for (const Message& message : messages) {
    for (const MessagePart& part : message.parts) count += part.kind == MessagePart::Kind::image;
  }
  return count;
}

// The template of a Thinking edition, as far as its text decides: the open <think> in the generation prompt.
const std::string kThinkingTemplate =
    "{%- if add_generation_prompt %}\n    {{- '<|im_start|>assistant\\n<think>\\n' }}\n{%- endif %}\n";

Message user(std::string text) {
  return {"user", {{MessagePart::Kind::text, std::move(text)}}};
}

}  // namespace

class TestChatTemplate : public QObject {
  Q_OBJECT

 private slots:
  void conversations_data();
  void conversations();
  void specification_vector();
  void thinking();
  void known_text_decides();
  void places_of_the_template();
  void base_model();
  void refusals();
  void raw_prompt();
  void sha256();
};

void TestChatTemplate::conversations_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("placeholder");
  QTest::newRow("qwen3") << "qwen3"
                         << "<|image_pad|>";
  QTest::newRow("gemma3_like") << "gemma3_like"
                               << "<image_soft_token>";
  QTest::newRow("llama3_like") << "llama3_like"
                               << "";
}

void TestChatTemplate::conversations() {
  QFETCH(QString, name);
  QFETCH(QString, placeholder);
  const ModelFolder folder(name);
  QVERIFY2(folder.problem().isEmpty(), qPrintable(folder.problem()));
  const auto tokenizer = Tokenizer::from_folder(folder.path());
  QVERIFY(tokenizer.ok());
  const ChatFormat family = name == "qwen3"         ? ChatFormat::none  // the text alone must decide
                            : name == "gemma3_like" ? ChatFormat::gemma3
                                                    : ChatFormat::llama3;
  const auto loaded = ChatTemplate::from_folder(folder.path(), family);
  QVERIFY(loaded.ok());
  const ChatTemplate chat = name == "qwen3" ? *loaded : ChatTemplate::from_text("unknown", family);
  QVERIFY(chat.present());

  const json cases = golden(name + "/chat.json");
  QVERIFY(cases.size() >= 24);
  for (const json& entry : cases) {
    const std::vector<Message> messages = messages_of(entry["messages"]);
    const bool generation = entry["generation"].get<bool>();
    const auto text = chat.render(messages, generation);
    const auto prompt = chat.encode(*tokenizer, messages, generation);
    if (entry["text"].is_null()) {
      QVERIFY2(!text.ok() && !prompt.ok(), entry.dump().c_str());
      continue;
    }
    QVERIFY2(text.ok(), text.ok() ? "" : text.error().message.c_str());
    QCOMPARE(*text, entry["text"].get<std::string>());
    QVERIFY(prompt.ok());
    QVERIFY2(prompt->ids == entry["ids"].get<std::vector<int32_t>>(), qPrintable(shown(*text, prompt->ids)));
    QCOMPARE(prompt->image_offsets.size(), images_in(messages));
    for (const size_t offset : prompt->image_offsets) {
      QCOMPARE(prompt->ids.at(offset), *tokenizer->token_id(placeholder.toStdString()));
    }
    QVERIFY(std::is_sorted(prompt->image_offsets.begin(), prompt->image_offsets.end()));
  }
}

void TestChatTemplate::specification_vector() {
  const ModelFolder folder("qwen3");
  const auto tokenizer = Tokenizer::from_folder(folder.path());
  const auto chat = ChatTemplate::from_folder(folder.path(), ChatFormat::qwen3_vl);
  QVERIFY(tokenizer.ok() && chat.ok());
  QVERIFY(chat->warning().empty());
  const json turns = json::parse(R"([["system", ["Be kind."]], ["user", [null, "What is this?"]],
                                     ["assistant", ["A dot."]], ["user", ["Sure?"]]])");
  const auto prompt = chat->encode(*tokenizer, messages_of(turns), true);
  QVERIFY(prompt.ok());
  const std::vector<int32_t> expected = {151644, 8948,   198,    3430,   3093,  13,     151645, 198, 151644, 872,
                                         198,    151652, 151655, 151653, 3838,  374,    419,    30,  151645, 198,
                                         151644, 77091,  198,    32,     12756, 13,     151645, 198, 151644, 872,
                                         198,    39814,  30,     151645, 198,   151644, 77091,  198};
  QCOMPARE(prompt->ids, expected);
  QCOMPARE(prompt->image_offsets, std::vector<size_t>{12});
  QVERIFY(prompt->warnings.empty());
}

// The turns of a Thinking edition follow the Qwen3 text template, which transformers rendered.
void TestChatTemplate::thinking() {
  const ChatTemplate chat = ChatTemplate::from_text(kThinkingTemplate, ChatFormat::qwen3_vl);
  QVERIFY(chat.thinking());
  const json cases = golden("qwen3/chat_thinking.json");
  QVERIFY(cases.size() >= 5);
  for (const json& entry : cases) {
    const std::vector<Message> messages = messages_of(entry["messages"]);
    const auto text = chat.render(messages, false);
    QVERIFY(text.ok());
    QCOMPARE(*text, entry["text"].get<std::string>());
    QCOMPARE(*chat.render(messages, true), *text + "<|im_start|>assistant\n<think>\n");
  }
}

void TestChatTemplate::known_text_decides() {
  const std::string qwen = read_all(data_folder("qwen3/chat_template.jinja")).toStdString();
  for (const std::string& text : {qwen, qwen.substr(0, qwen.find_last_not_of('\n') + 1)}) {
    const ChatTemplate chat = ChatTemplate::from_text(text, ChatFormat::llama3);
    QCOMPARE(chat.format(), ChatFormat::qwen3_vl);
    QVERIFY(chat.warning().empty() && !chat.thinking());
  }
  const ChatTemplate changed = ChatTemplate::from_text(qwen + " ", ChatFormat::gemma3);
  QCOMPARE(changed.format(), ChatFormat::gemma3);
  QVERIFY(changed.warning().find(sha256_hex(qwen + " ")) != std::string::npos);
  const ModelFolder gemma("gemma3");
  if (!gemma.present()) return;
  const auto chat = ChatTemplate::from_folder(gemma.path(), ChatFormat::none);
  QVERIFY(chat.ok() && chat->format() == ChatFormat::gemma3 && chat->warning().empty());
}

void TestChatTemplate::places_of_the_template() {
  const std::string qwen = read_all(data_folder("qwen3/chat_template.jinja")).toStdString();
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.path().toStdString();
  const auto write = [&](const char* file, const std::string& text) {
    QFile out(folder.filePath(file));
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(text.data(), static_cast<qint64>(text.size()));
  };
  const auto format = [&] {
    const auto chat = ChatTemplate::from_folder(path, ChatFormat::llama3);
    return chat.ok() ? std::optional(chat->format()) : std::nullopt;
  };
  QCOMPARE(format(), ChatFormat::none);
  write("tokenizer_config.json", json{{"chat_template", nullptr}}.dump());
  QCOMPARE(format(), ChatFormat::none);
  write("tokenizer_config.json", json{{"chat_template", {{{"name", "default"}, {"template", qwen}}}}}.dump());
  QCOMPARE(format(), ChatFormat::qwen3_vl);
  write("tokenizer_config.json", json{{"chat_template", qwen}}.dump());
  QCOMPARE(format(), ChatFormat::qwen3_vl);
  write("chat_template.json", json{{"chat_template", "other"}}.dump());
  QCOMPARE(format(), ChatFormat::llama3);
  write("chat_template.jinja", qwen);
  QCOMPARE(format(), ChatFormat::qwen3_vl);
  QFile::remove(folder.filePath("chat_template.jinja"));
  write("chat_template.json", "{");
  QCOMPARE(format(), std::nullopt);
}

void TestChatTemplate::base_model() {
  const ChatTemplate chat = ChatTemplate::from_text(std::nullopt, ChatFormat::gemma3);
  QVERIFY(!chat.present());
  const std::vector<Message> messages = {user("x")};
  QVERIFY(!chat.render(messages, true).ok());
}

void TestChatTemplate::refusals() {
  const ChatTemplate qwen = ChatTemplate::from_text("?", ChatFormat::qwen3_vl);
  const ChatTemplate gemma = ChatTemplate::from_text("?", ChatFormat::gemma3);
  const ChatTemplate llama = ChatTemplate::from_text("?", ChatFormat::llama3);
  const auto refusal = [](const ChatTemplate& chat, const std::vector<Message>& messages) {
    const auto text = chat.render(messages, true);
    return text.ok() ? QString() : QString::fromStdString(text.error().message);
  };
  const MessagePart image{MessagePart::Kind::image, {}};
  for (const ChatTemplate& chat : {qwen, gemma, llama}) QVERIFY(refusal(chat, {}).contains("no message"));
  QVERIFY(refusal(qwen, {user("x"), {"robot", {}}}).contains("message 2 has the role \"robot\""));
  QVERIFY(refusal(qwen, {{"system", {image}}}).contains("message 1 (system) has a picture"));
  QVERIFY(refusal(qwen, {user("x"), {"assistant", {image}}}).contains("message 2 (assistant) has a picture"));
  QVERIFY(refusal(gemma, {user("x"), user("y")}).contains("alternate"));
  QVERIFY(refusal(llama, {{"user", {image}}}).contains("text only"));

  const ModelFolder folder("llama3_like");
  const auto tokenizer = Tokenizer::from_folder(folder.path());
  QVERIFY(tokenizer.ok());
  const std::vector<Message> messages = {user("x")};
  const auto lacking = qwen.encode(*tokenizer, messages, true);
  QVERIFY(!lacking.ok() && lacking.error().message.find("<|im_start|>") != std::string::npos);
  const ModelFolder real("qwen3");
  const auto qwen_tokenizer = Tokenizer::from_folder(real.path());
  QVERIFY(qwen_tokenizer.ok());
  const std::vector<Message> late = {user("x"), {"system", {{MessagePart::Kind::text, "late"}}}};
  QCOMPARE(qwen.encode(*qwen_tokenizer, late, true)->warnings.size(), size_t{2});  // the text, and the message
}

void TestChatTemplate::raw_prompt() {
  const ModelFolder folder("qwen3");
  const auto qwen = Tokenizer::from_folder(folder.path());
  QVERIFY(qwen.ok());
  const ChatPrompt prompt = encode_raw_prompt(
      *qwen, "<|im_start|>user\n<|vision_start|><|image_pad|><|vision_end|>Hi<|image_pad|>", ChatFormat::qwen3_vl);
  QCOMPARE(prompt.ids, (std::vector<int32_t>{151644, 872, 198, 151652, 151655, 151653, 13048, 151655}));
  QCOMPARE(prompt.image_offsets, (std::vector<size_t>{4, 7}));

  const ModelFolder gemma_folder("gemma3_like");
  const auto gemma = Tokenizer::from_folder(gemma_folder.path());
  QVERIFY(gemma.ok());
  const ChatPrompt expanded = encode_raw_prompt(*gemma, "\n<start_of_image>", ChatFormat::gemma3);
  const std::vector<int32_t> expected = {*gemma->token_id("\n\n\n"), *gemma->token_id("<start_of_image>"),
                                         *gemma->token_id("<image_soft_token>"), *gemma->token_id("<end_of_image>"),
                                         *gemma->token_id("\n\n")};
  QCOMPARE(expanded.ids, expected);
  QCOMPARE(expanded.image_offsets, std::vector<size_t>{2});
}

void TestChatTemplate::sha256() {
  // FIPS 180-4 examples, and lengths around the block's border against Qt's.
  QCOMPARE(sha256_hex("abc"), std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
  for (int length = 0; length < 200; ++length) {
    const QByteArray data(length, static_cast<char>(length));
    QCOMPARE(sha256_hex(data.toStdString()),
             QCryptographicHash::hash(data, QCryptographicHash::Sha256).toHex().toStdString());
  }
}

QTEST_GUILESS_MAIN(TestChatTemplate)
#include "tst_chat_template.moc"
