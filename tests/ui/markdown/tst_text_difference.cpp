// Where two answers part, and how the passage is marked.
#include <QTest>
#include <QTextDocument>

#include "ui/markdown/render_markdown.h"
#include "ui/markdown/text_difference.h"

using namespace poplens::ui;

class TextDifferenceTest : public QObject {
  Q_OBJECT

 private slots:
  void differences_data() {
    QTest::addColumn<QString>("a");
    QTest::addColumn<QString>("b");
    QTest::addColumn<QString>("in_a");
    QTest::addColumn<QString>("in_b");
    QTest::newRow("same") << "The ring is red."
                          << "The ring is red."
                          << ""
                          << "";
    QTest::newRow("empty") << ""
                           << ""
                           << ""
                           << "";
    QTest::newRow("one word") << "The ring is red."
                              << "The ring is blue."
                              << "red."
                              << "blue.";
    QTest::newRow("in the middle") << "A red ring here"
                                   << "A blue ring here"
                                   << "red"
                                   << "blue";
    QTest::newRow("whole words") << "reddish thing"
                                 << "redder thing"
                                 << "reddish"
                                 << "redder";
    QTest::newRow("longer") << "One two"
                            << "One two three"
                            << ""
                            << "three";
    QTest::newRow("nothing in common") << "yes"
                                       << "no"
                                       << "yes"
                                       << "no";
    QTest::newRow("one is empty") << ""
                                  << "All"
                                  << ""
                                  << "All";
    QTest::newRow("a word more") << "a b c"
                                 << "a b b c"
                                 << ""
                                 << "b";
  }
  void differences() {
    QFETCH(QString, a);
    QFETCH(QString, b);
    QFETCH(QString, in_a);
    QFETCH(QString, in_b);
    const TextDifference difference = difference_between(a, b);
    QCOMPARE(a.mid(difference.a.begin, difference.a.end - difference.a.begin), in_a);
    QCOMPARE(b.mid(difference.b.begin, difference.b.end - difference.b.begin), in_b);
    const TextDifference other_way = difference_between(b, a);
    QVERIFY(other_way.a == difference.b && other_way.b == difference.a);
  }

  void marks_are_seen_and_gone_from_the_text() {
    const QString html = rendered("The sum is **4 euros** in all.", "4 euros");
    QTextDocument document;
    document.setHtml(html);
    QCOMPARE(document.toPlainText(), QString("The sum is 4 euros in all."));
    QVERIFY(html.contains("background-color:#e6edfc"));
    QVERIFY(html.contains("underline"));
    QVERIFY(!rendered("Nothing is marked.", "").contains("underline"));
  }

  // A mark at the beginning of a block must not make it another block.
  void blocks_stay_blocks_data() {
    QTest::addColumn<QString>("markdown");
    QTest::newRow("list") << "- one\n- two";
    QTest::newRow("numbers") << "1. one\n2. two";
    QTest::newRow("heading") << "## Title\n\ntext";
    QTest::newRow("quote") << "> said";
    QTest::newRow("code") << "```cpp\nint x;\n```";
  }
  void blocks_stay_blocks() {
    QFETCH(QString, markdown);
    QTextDocument plain;
    plain.setHtml(render_markdown(markdown));
    QTextDocument marked;
    marked.setHtml(render_markdown(with_marks(markdown, {0, static_cast<int>(markdown.size())})));
    QCOMPARE(marked.toPlainText(), plain.toPlainText());
    QCOMPARE(marked.blockCount(), plain.blockCount());
  }

  void marks_in_an_answer_are_letters_no_more() {
    const QString hostile = QString("a ") + kMarkBegin + "b" + kMarkEnd;
    QCOMPARE(with_marks(hostile, {0, 1}), QString("a b"));
    QCOMPARE(with_marks("short", {2, 99}), QString("sh") + kMarkBegin + "ort" + kMarkEnd);
  }

 private:
  static QString rendered(const QString& markdown, const QString& passage) {
    const auto begin = static_cast<int>(markdown.indexOf(passage));
    return render_markdown(with_marks(markdown, {begin, begin + static_cast<int>(passage.size())}));
  }
};

QTEST_MAIN(TextDifferenceTest)
#include "tst_text_difference.moc"
