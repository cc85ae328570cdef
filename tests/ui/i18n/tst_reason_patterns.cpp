// A message is found among sentences with placeholders and said in other words; what people have named stays.
#include <array>

#include <QTest>

#include "ui/i18n/reason_patterns.h"

using namespace poplens::ui;

namespace {

constexpr const char* kSentences[] = {
    "the file is cut off",
    "cannot be written: %1",
    "no space left",
    "not enough memory: %1 needs %2, %3 are free",
    "a prompt of %1 tokens",
    "'%1' is missing",
    "tensor '%1' is missing",
    "tensor '%1' is said to be in '%2'",
    "%1 bytes, more than the %2",
    "%1; it stays where it is",
};

QString in_capitals(const char* sentence) {
  const QString text(sentence);
  if (text == "tensor '%1' is said to be in '%2'") return "IN <%2> SHOULD BE <%1>";
  return text.toUpper();
}

QString said(std::string_view message) {
  return ReasonPatterns(kSentences).translated(message, in_capitals);
}

}  // namespace

class ReasonPatternsTest : public QObject {
  Q_OBJECT

 private slots:
  void says_data() {
    QTest::addColumn<QString>("message");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* what, const char* message, const char* expected) {
      QTest::newRow(what) << QString(message) << QString(expected);
    };
    row("whole", "the file is cut off", "THE FILE IS CUT OFF");
    row("after a name", "a.png: the file is cut off", "a.png: THE FILE IS CUT OFF");
    row("after several", "a.png: /b/c.png: the file is cut off", "a.png: /b/c.png: THE FILE IS CUT OFF");
    row("with what differs", "tensor 'x' is missing", "TENSOR 'x' IS MISSING");
    row("in another order", "tensor 'x' is said to be in 'y'", "IN <y> SHOULD BE <x>");
    row("nested at the end", "a: cannot be written: no space left", "a: CANNOT BE WRITTEN: NO SPACE LEFT");
    row("nested in the middle", "not enough memory: a prompt of 5 tokens needs 2 GB, 1 GB are free",
        "NOT ENOUGH MEMORY: A PROMPT OF 5 TOKENS NEEDS 2 GB, 1 GB ARE FREE");
    row("nested at the start", "/a: no space left; it stays where it is", "/a: NO SPACE LEFT; IT STAYS WHERE IT IS");
    row("name that falls into a placeholder", "/a: 5 bytes, more than the 4", "/a: 5 BYTES, MORE THAN THE 4");
    row("nested and unknown", "cannot be written: bad luck", "CANNOT BE WRITTEN: bad luck");

    row("unknown", "a.png: nobody knows why", "a.png: nobody knows why");
    row("more behind it", "the file is cut off, they say", "the file is cut off, they say");
    row("more before it", "say the file is cut off", "say the file is cut off");
    row("nothing", "", "");
    row("part of a placeholder's sentence", "not enough memory: x needs y", "not enough memory: x needs y");

    row("%1 in a name", "%1 %2 %n.png: the file is cut off", "%1 %2 %n.png: THE FILE IS CUT OFF");
    row("%2 in what differs", "tensor '%2' is said to be in '%1'", "IN <%1> SHOULD BE <%2>");
    row("colons in a name", "a: b: : c.png: the file is cut off", "a: b: : c.png: THE FILE IS CUT OFF");
    row("quotes in a name", "'a' is 'b'.png: 'x' is missing", "'a' is 'b'.png: 'x' IS MISSING");
    row("other scripts", "Größe — 大きさ \xF0\x9F\x98\x80.png: the file is cut off",
        "Größe — 大きさ \xF0\x9F\x98\x80.png: THE FILE IS CUT OFF");
    row("line break in a name", "a\nb.png: the file is cut off", "a\nb.png: THE FILE IS CUT OFF");
    row("the sentence's own words in a name", "not enough memory: x needs y needs 2 GB, 1 GB are free",
        "NOT ENOUGH MEMORY: x needs y NEEDS 2 GB, 1 GB ARE FREE");
    row("another sentence in a name", "the file is cut off: tensor 'x' is missing",
        "the file is cut off: TENSOR 'x' IS MISSING");
  }
  void says() {
    QFETCH(QString, message);
    QFETCH(QString, expected);
    QCOMPARE(said(message.toStdString()), expected);
  }

  // Whatever the order of the catalogue.
  void theMostSpecificSentence() {
    constexpr const char* kAlike[] = {"'%1' is %2", "'%1' is %2, not %3", "'%1' is 5, not %2"};
    const ReasonPatterns patterns(kAlike);
    const auto found = [&](const char* message) {
      QString name;
      (void)patterns.translated(message, [&](const char* sentence) { return name = sentence; });
      return name;
    };
    QCOMPARE(found("'x' is 4"), QString(kAlike[0]));
    QCOMPARE(found("'x' is 4, not 6"), QString(kAlike[1]));
    QCOMPARE(found("'x' is 5, not 6"), QString(kAlike[2]));
  }

  // A file may be named by somebody who means harm.
  void longAndDeepMessagesEnd() {
    std::string nested;
    for (int i = 0; i < 300; ++i) nested += "cannot be written: ";
    std::string quotes = "tensor '";
    for (int i = 0; i < 2000; ++i) quotes += "' is said to be in ";
    std::string colons;
    while (colons.size() < 8000) colons += ": ";
    QVERIFY(said(nested).startsWith("CANNOT BE WRITTEN: "));
    QCOMPARE(said(quotes), QString::fromStdString(quotes));
    QCOMPARE(said(colons), QString::fromStdString(colons));
    const std::string endless(100'000, ':');
    QCOMPARE(said(endless + ": the file is cut off"), QString::fromStdString(endless + ": the file is cut off"));
  }

  void withoutATranslationNothingChanges() {
    const ReasonPatterns patterns(kSentences);
    const auto same = [](const char* sentence) { return QString(sentence); };
    for (const char* message : {"a %1.png: cannot be written: no space left", "tensor '%2' is said to be in '%1'",
                                "/a: 5 bytes, more than the 4"}) {
      QCOMPARE(patterns.translated(message, same), QString(message));
    }
  }
};

QTEST_APPLESS_MAIN(ReasonPatternsTest)
#include "tst_reason_patterns.moc"
