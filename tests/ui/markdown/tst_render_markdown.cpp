// What a text element is given to show: styled text, and nothing that it would load.
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextList>

#include "ui/markdown/render_markdown.h"

using namespace poplens::ui;

class RenderMarkdownTest : public QObject {
  Q_OBJECT

 private slots:
  void showsStyles() {
    const QString html = render_markdown("The total is **12**, see [the page](https://example.org/a).");
    QVERIFY(html.contains("font-weight"));
    QVERIFY(html.contains("href=\"https://example.org/a\""));
  }

  void loadsNoPicture_data() {
    QTest::addColumn<QString>("markdown");
    QTest::newRow("remote") << "before ![alt text](https://example.org/x.png) after";
    QTest::newRow("local") << "before ![alt text](file:///etc/passwd) after";
    QTest::newRow("title") << "before ![alt text](x.png \"title\") after";
    QTest::newRow("reference") << "before ![alt text][r] after\n\n[r]: https://example.org/x.png";
    QTest::newRow("in a link") << "before [![alt text](https://example.org/x.png)](https://example.org) after";
    QTest::newRow("in a table") << "| before |\n|---|\n| ![alt text](https://example.org/x.png) after |";
  }
  void loadsNoPicture() {
    QFETCH(QString, markdown);
    const QString html = render_markdown(markdown);
    QVERIFY2(!html.contains("<img"), qPrintable(html));
    QTextDocument document;
    document.setHtml(html);
    const QString text = document.toPlainText();
    QVERIFY2(text.contains("before") && text.contains("after") && text.contains("alt text"), qPrintable(text));
  }

  void tagsAreLetters() {
    const QString html = render_markdown("a <img src=\"https://example.org/x.png\"> <b>b</b>");
    QVERIFY2(!html.contains("<img"), qPrintable(html));
    QTextDocument document;
    document.setHtml(html);
    QVERIFY(document.toPlainText().contains("<img src="));
  }

  void tablesHaveCells() {
    QTextDocument document;
    document.setHtml(render_markdown("| a | b |\n|---|---|\n| 1 | 2 |"));
    QVERIFY(document.toPlainText().contains("2"));
    QVERIFY(render_markdown("| a | b |\n|---|---|\n| 1 | 2 |").contains("<table"));
  }

  // Blocks hold one item each.
  void itemsKeepTheirNumbers() {
    QTextDocument document;
    document.setHtml(render_markdown("3. third, **bold**\n   - inside"));
    QCOMPARE(document.toPlainText(), QString("3. third, bold\ninside"));
    QVERIFY(document.begin().next().textList() != nullptr);
    // A list in one piece counts by itself.
    document.setHtml(render_markdown("1. a\n2. b"));
    QCOMPARE(document.toPlainText(), QString("a\nb"));
    QCOMPARE(document.begin().next().textList()->itemText(document.begin().next()), QString("2."));
  }

  void emptyAndUnfinishedTextIsShown() {
    QVERIFY(!render_markdown("").contains("<img"));
    QTextDocument document;
    document.setHtml(render_markdown("**not closed"));
    QVERIFY(document.toPlainText().contains("not closed"));
  }
};

QTEST_MAIN(RenderMarkdownTest)
#include "tst_render_markdown.moc"
