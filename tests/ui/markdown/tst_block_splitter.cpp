// Markdown that arrives in pieces: the same blocks however it is cut, and the work per piece is bounded.
#include <QAbstractItemModelTester>
#include <QTest>

#include "ui/markdown/block_list_model.h"

using namespace poplens::ui;

namespace {

using Kind = MarkdownBlock::Kind;

QList<MarkdownBlock> split(const QString& text, int piece) {
  BlockSplitter splitter;
  for (qsizetype i = 0; i < text.size(); i += piece) splitter.append(text.mid(i, piece));
  return splitter.blocks();
}

QStringList texts(const QList<MarkdownBlock>& blocks) {
  QStringList list;
  for (const MarkdownBlock& block : blocks) list.append(block.text);
  return list;
}

const char* const kMixed =
    "# Title\nFirst paragraph\nin two lines.\n\nSecond.\n- one\n- two\n  more of two\n\n  and a paragraph of two\n"
    "```cpp\nint a;\n\nint b;\n```\nAfter.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quoted\n> twice\n\n1. x\n2. y";

}  // namespace

class BlockSplitterTest : public QObject {
  Q_OBJECT

 private slots:
  void cutsIntoBlocks() {
    const QList<MarkdownBlock> blocks = split(kMixed, 1000);
    QCOMPARE(texts(blocks),
             QStringList({"# Title", "First paragraph\nin two lines.", "Second.", "- one",
                          "- two\n  more of two\n\n  and a paragraph of two", "int a;\n\nint b;", "After.",
                          "| a | b |\n|---|---|\n| 1 | 2 |", "> quoted\n> twice", "1. x", "2. y"}));
    QCOMPARE(blocks[5].kind, Kind::code);
    QCOMPARE(blocks[5].language, QString("cpp"));
  }

  void piecesOfAnySizeGiveTheSame_data() {
    QTest::addColumn<int>("piece");
    for (const int piece : {1, 2, 3, 7, 50}) QTest::addRow("%d", piece) << piece;
  }
  void piecesOfAnySizeGiveTheSame() {
    QFETCH(int, piece);
    QCOMPARE(split(kMixed, piece), split(kMixed, 1000));
  }

  void blocksBeforeTheFirstChangedOneStay() {
    BlockSplitter splitter;
    QList<MarkdownBlock> before;
    for (const QChar c : QString(kMixed)) {
      const int first_changed = splitter.append(QString(c));
      const auto kept = std::min<qsizetype>(first_changed, before.size());
      QVERIFY(splitter.blocks().size() >= kept);
      for (qsizetype i = 0; i < kept; ++i) QCOMPARE(splitter.blocks()[i], before[i]);
      before = splitter.blocks();
    }
  }

  void listsInsideAnItemBelongToIt() {
    QCOMPARE(texts(split("1. one\n   - inside\n   - inside too\n2. two", 1)),
             QStringList({"1. one\n   - inside\n   - inside too", "2. two"}));
    QCOMPARE(texts(split("- one\n  - inside\n- two\n - three", 1)),
             QStringList({"- one\n  - inside", "- two", " - three"}));
  }

  void longerFenceClosesOnlyWithItsLike() {
    const auto blocks = split("````\n```\nstill code\n```\n````\ntext", 1);
    QCOMPARE(texts(blocks), QStringList({"```\nstill code\n```", "text"}));
  }

  void codeThatIsNotClosedYetIsCode() {
    const auto blocks = split("```py\nprint(1)", 1);
    QCOMPARE(blocks.size(), 1);
    QCOMPARE(blocks[0].kind, Kind::code);
    QCOMPARE(blocks[0].text, QString("print(1)"));
  }

  void longCodeIsCutAndJoinsAgain() {
    QString code;
    for (int i = 0; i < 3 * BlockSplitter::kMostLines; ++i) code += QString("line %1\n").arg(i);
    BlockListModel model;
    model.append("```\n" + code + "```\n");
    QCOMPARE(model.count(), 3);
    QCOMPARE(model.data(model.index(1), BlockListModel::GoesOnRole).toBool(), true);
    QCOMPARE(model.data(model.index(2), BlockListModel::GoesOnBelowRole).toBool(), false);
    QCOMPARE(model.codeAt(2) + "\n", code);
  }

  // What is parsed again per token depends on the open block alone, however long the answer is.
  void tokenCostsTheSameLateAsEarly_data() {
    QTest::addColumn<QString>("pattern");
    QTest::newRow("paragraphs") << "word word word word word word word word.\n\n";
    QTest::newRow("one long line") << "word ";
    QTest::newRow("list") << "- item of a list\n";
    QTest::newRow("code") << "```\nx = 1\n";
  }
  void tokenCostsTheSameLateAsEarly() {
    QFETCH(QString, pattern);
    BlockListModel model;
    QString text;
    while (text.size() < 40000) text += pattern;
    for (qsizetype i = 0; i < text.size(); i += 4) {
      const qint64 before = model.changedCharacters();
      model.append(text.mid(i, 4));
      QVERIFY2(model.changedCharacters() - before <= 2 * BlockSplitter::kMostCharacters + 8, qPrintable(pattern));
    }
  }

  void modelKeepsItsPromises() {
    BlockListModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    for (const QChar c : QString(kMixed)) model.append(QString(c));
    QCOMPARE(model.count(), split(kMixed, 1000).size());
    model.clear();
    QCOMPARE(model.count(), 0);
  }
};

QTEST_GUILESS_MAIN(BlockSplitterTest)
#include "tst_block_splitter.moc"
