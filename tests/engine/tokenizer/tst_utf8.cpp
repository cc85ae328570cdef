#include <QtTest>

#include "engine/tokenizer/utf8.h"
#include "engine/tokenizer/utf8_stream.h"

using namespace poplens;

class TestUtf8 : public QObject {
  Q_OBJECT

 private slots:
  void replaces_as_python_does_data();
  void replaces_as_python_does();
  void every_code_point();
  void never_half_a_character();
  void stream_equals_whole_text();
};

void TestUtf8::replaces_as_python_does_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QByteArray>("text");
  const QByteArray r = "\xEF\xBF\xBD";
  // bytes.decode("utf-8", "replace") of Python 3.11.
  QTest::newRow("empty") << QByteArray() << QByteArray();
  QTest::newRow("nul") << QByteArray("a\0b", 3) << QByteArray("a\0b", 3);
  QTest::newRow("lone continuation") << QByteArray("\x80\x80") << r + r;
  QTest::newRow("truncated two") << QByteArray("\xC3(") << r + "(";
  QTest::newRow("truncated three is one") << QByteArray("\xE4\xB8 x") << r + " x";
  QTest::newRow("truncated four is one") << QByteArray("\xF0\x9F\x98") << r;
  QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << r + r + r;
  QTest::newRow("overlong two") << QByteArray("\xC0\xAF") << r + r;
  QTest::newRow("overlong three") << QByteArray("\xE0\x80\xAF") << r + r + r;
  QTest::newRow("past the end") << QByteArray("\xF4\x90\x80\x80") << r + r + r + r;
  QTest::newRow("unicode 3.9 example") << QByteArray(
                                              "a\xF1\x80\x80\xE1\x80\xC2"
                                              "b\x80"
                                              "c\x80\xBF"
                                              "d")
                                       << "a" + r + r + r + "b" + r + "c" + r + r + "d";
}

void TestUtf8::replaces_as_python_does() {
  QFETCH(QByteArray, bytes);
  QFETCH(QByteArray, text);
  QCOMPARE(replace_invalid_utf8(bytes.toStdString()), text.toStdString());
  QVERIFY(is_valid_utf8(text.toStdString()));
  QCOMPARE(is_valid_utf8(bytes.toStdString()), bytes == text);
}

void TestUtf8::every_code_point() {
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string text;
    append_utf8(text, c);
    const Utf8Char character = decode_utf8(text);
    QVERIFY(character.status == Utf8Status::valid && character.code_point == c && character.length == text.size());
  }
}

void TestUtf8::never_half_a_character() {
  Utf8Stream stream;
  QCOMPARE(stream.push("a\xF0\x9F"), std::string("a"));
  QCOMPARE(stream.push("\x98"), std::string());
  QCOMPARE(stream.push("\x80!"), std::string("\U0001F600!"));
  QCOMPARE(stream.push("\xE4\xB8"), std::string());
  QCOMPARE(stream.push("x"), std::string("\uFFFDx"));
  QCOMPARE(stream.push("\xE4\xB8"), std::string());
  QCOMPARE(stream.flush(), std::string("\uFFFD"));
  QCOMPARE(stream.flush(), std::string());
}

void TestUtf8::stream_equals_whole_text() {
  uint32_t state = 1;
  const auto random = [&state](uint32_t below) { return (state = state * 1664525u + 1013904223u) / 65536u % below; };
  const std::string alphabet = "a\x80\xBF\xC3\xE0\xA0\xE4\xB8\xAD\xED\x9F\xF0\x90\xF4\x8F\xFF";
  for (int round = 0; round < 3000; ++round) {
    std::string bytes;
    for (uint32_t k = random(20); k > 0; --k) bytes += alphabet[random(static_cast<uint32_t>(alphabet.size()))];
    Utf8Stream stream;
    std::string text;
    for (size_t at = 0; at < bytes.size();) {
      const size_t length = random(4);
      const std::string part = stream.push(std::string_view(bytes).substr(at, length));
      QVERIFY(is_valid_utf8(part));
      text += part;
      at += length;
    }
    QCOMPARE(text + stream.flush(), replace_invalid_utf8(bytes));
  }
}

QTEST_APPLESS_MAIN(TestUtf8)
#include "tst_utf8.moc"
