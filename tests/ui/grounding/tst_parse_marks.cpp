// Boxes and points of answers: what models write, what they write wrongly, and what is cut off.
#include <QTest>

#include "ui/grounding/parse_marks.h"

using namespace poplens::ui;

namespace {

PictureMark box(const QString& label, double left, double top, double right, double bottom) {
  return {.label = label, .place = QRectF(QPointF(left, top), QPointF(right, bottom))};
}

PictureMark point(const QString& label, double x, double y) {
  return {.label = label, .place = QRectF(x, y, 0, 0), .point = true};
}

}  // namespace

class ParseMarksTest : public QObject {
  Q_OBJECT

 private slots:
  void reads_data() {
    QTest::addColumn<QString>("answer");
    QTest::addColumn<QList<PictureMark>>("marks");
    using Marks = QList<PictureMark>;
    const Marks ring{box("a ring", 0.1, 0.2, 0.3, 0.4)};
    const QString entry = "{\"bbox_2d\": [100, 200, 300, 400], \"label\": \"a ring\"}";

    QTest::newRow("a list in a fence") << "```json\n[\n\t" + entry + "\n]\n```" << ring;
    QTest::newRow("a bare list") << "[" + entry + "]" << ring;
    QTest::newRow("one object") << entry << ring;
    QTest::newRow("a fence without a language") << "```\n" + entry + "\n```" << ring;
    QTest::newRow("prose around it") << "Here (see [1], {x}) it is: " + entry + " – \"done\"." << ring;
    QTest::newRow("a list in an object") << "{\"objects\": [" + entry + "], \"count\": 1}" << ring;
    QTest::newRow("label first") << "{\"label\":\"a ring\",\"bbox_2d\":[100,200,300,400]}" << ring;
    QTest::newRow("single quotes") << "[{'bbox_2d': [100, 200, 300, 400], 'label': 'a ring'}]" << ring;
    QTest::newRow("a comma too many") << "[{\"bbox_2d\": [100, 200, 300, 400,], \"label\": \"a ring\",},]" << ring;
    QTest::newRow("other keys")
        << "{\"id\": 7, \"sure\": true, \"more\": {\"a\": [1]}, \"bbox_2d\": [100, 200, 300, 400],"
           " \"label\": \"a ring\", \"note\": null}"
        << ring;
    QTest::newRow("fractions") << "{\"bbox_2d\": [1e2, 200.0, 300, 4.0E+2], \"label\": \"a ring\"}" << ring;
    QTest::newRow("points") << "[{\"point_2d\": [500, 250], \"label\": \"tip\"}, {\"point_2d\": [0, 1000]}]"
                            << Marks{point("tip", 0.5, 0.25), point("", 0, 1)};
    QTest::newRow("several boxes of one label")
        << "{\"bbox_2d\": [[0, 0, 100, 100], [500, 500, 1000, 1000]], \"label\": \"cup\"}"
        << Marks{box("cup", 0, 0, 0.1, 0.1), box("cup", 0.5, 0.5, 1, 1)};
    QTest::newRow("both") << "{\"bbox_2d\": [0, 0, 100, 100], \"point_2d\": [50, 50], \"label\": \"cup\"}"
                          << Marks{box("cup", 0, 0, 0.1, 0.1), point("cup", 0.05, 0.05)};
    QTest::newRow("read text") << "{\"bbox_2d\": [100, 200, 300, 400], \"text_content\": \"a ring\"}" << ring;

    QTest::newRow("nothing") << "" << Marks{};
    QTest::newRow("no marks") << "The bbox_2d of [it] is {unknown}." << Marks{};
    QTest::newRow("corners the wrong way round")
        << "{\"bbox_2d\": [300, 400, 100, 200], \"label\": \"a ring\"}" << ring;
    QTest::newRow("out of range") << "[{\"bbox_2d\": [-50, -1e300, 1200, 500], \"label\": \"wide\"},"
                                     " {\"point_2d\": [1003, -2], \"label\": \"corner\"}]"
                                  << Marks{box("wide", 0, 0, 1, 0.5), point("corner", 1, 0)};
    QTest::newRow("outside the picture") << "{\"bbox_2d\": [1100, 100, 1200, 200], \"label\": \"gone\"}" << Marks{};
    QTest::newRow("no numbers")
        << "[{\"bbox_2d\": [1e999, 2, 3, 4], \"label\": \"a\"}, {\"bbox_2d\": [\"1\", 2, 3, 4]},"
           " {\"bbox_2d\": [true, 2, 3, 4]}, {\"bbox_2d\": \"1 2 3 4\"}]"
        << Marks{};
    QTest::newRow("too few and too many") << "[{\"bbox_2d\": [1, 2, 3]}, {\"bbox_2d\": [1, 2, 3, 4, 5]},"
                                             " {\"point_2d\": [1]}, {\"point_2d\": [1, 2, 3]}, {\"bbox_2d\": []}]"
                                          << Marks{};

    QTest::newRow("cut in the second box") << "```json\n[" + entry + ", {\"bbox_2d\": [10, 20, 3" << ring;
    QTest::newRow("cut in the second label")
        << "[" + entry + ", {\"bbox_2d\": [10, 20, 30, 40], \"label\": \"a sq" << ring;
    QTest::newRow("cut before the brace") << "[" + entry + ", {\"bbox_2d\": [10, 20, 30, 40], \"label\": \"a\"" << ring;
    QTest::newRow("broken before it") << "[{\"bbox_2d\": [1, 2, ?], \"label\": \"x\"}, " + entry + "]" << ring;
    QTest::newRow("a string that does not end") << "[{\"label\": \"no end\n" + entry << ring;
    QTest::newRow("brackets that do not match") << "[{\"bbox_2d\": [1, 2, 3, 4}, ]" + entry << ring;

    QTest::newRow("odd labels")
        << "[{\"bbox_2d\": [0, 0, 500, 500], \"label\": \"\\\"Ü\\u00fc\\ud83d\\ude00\\\\ {x}[1]\\n2\\/3\"},"
           " {\"bbox_2d\": [0, 0, 500, 500], \"label\": \"it's < b > & \\u0000\"},"
           " {\"bbox_2d\": [0, 0, 500, 500], \"label\": 7}]"
        << Marks{box(QString::fromUtf8("\"Üü😀\\ {x}[1] 2/3"), 0, 0, 0.5, 0.5),
                 box(QString("it's < b > & ") + QChar(0), 0, 0, 0.5, 0.5), box("7", 0, 0, 0.5, 0.5)};
    QTest::newRow("another language's fence")
        << "```python\nboxes = [{\"bbox_2d\": [1, 2, 3, 4], \"label\": \"x\"}]\n```\n" + entry << ring;
  }
  void reads() {
    QFETCH(QString, answer);
    QFETCH(QList<PictureMark>, marks);
    const QList<PictureMark> found = parse_marks(answer);
    QCOMPARE(found.size(), marks.size());
    for (int i = 0; i < found.size(); ++i) {
      QCOMPARE(found[i].label, marks[i].label);
      QCOMPARE(found[i].place, marks[i].place);
      QCOMPARE(found[i].point, marks[i].point);
    }
  }

  void namesThePicture_data() {
    QTest::addColumn<QString>("answer");
    QTest::addColumn<QStringList>("pictures");
    const QString entry = "{\"bbox_2d\": [1, 2, 3, 4]}";
    QTest::newRow("not at all") << entry << QStringList{""};
    QTest::newRow("by number")
        << "[{\"bbox_2d\": [1, 2, 3, 4], \"image\": 2}, {\"picture\": \"1\", \"point_2d\": [1, 2]}]"
        << QStringList{"2", "1"};
    QTest::newRow("from zero") << "{\"image_index\": 0, \"bbox_2d\": [1, 2, 3, 4]}" << QStringList{"1"};
    QTest::newRow("by name") << "{\"image\": \"a b.png\", \"bbox_2d\": [1, 2, 3, 4]}" << QStringList{"a b.png"};
    QTest::newRow("as a heading") << "**Picture 1:**\n```json\n[" + entry + "]\n```\nImage 2: " + entry
                                  << QStringList{"1", "2"};
    QTest::newRow("only counted") << "In the image 3 cats sit: " + entry << QStringList{""};
  }
  void namesThePicture() {
    QFETCH(QString, answer);
    QFETCH(QStringList, pictures);
    QStringList named;
    for (const PictureMark& mark : parse_marks(answer)) named.append(mark.picture);
    QCOMPARE(named, pictures);
  }

  void thousands() {
    QString answer = "[";
    for (int i = 0; i < 3000; ++i)
      answer += QString("{\"bbox_2d\": [%1, 0, 1000, 9], \"label\": \"n%1\"},").arg(i % 1000);
    QCOMPARE(parse_marks(answer).size(), 3000);
    QCOMPARE(parse_marks(answer + answer).size(), kMostMarks);
    QCOMPARE(parse_marks("{\"bbox_2d\": [" + QString("[1, 2, 3, 4],").repeated(9000) + "]}").size(), kMostMarks);
  }

  // Every way to cut a real answer gives its first marks, and nothing else.
  void everyCut() {
    const QString answer =
        "Here:\n```json\n[\n\t{\"bbox_2d\": [100, 200, 300, 400], \"label\": \"ring\"},\n"
        "\t{\"bbox_2d\": [500, 600, 700, 800], \"label\": \"\\u00e9\"}\n]\n```\nDone.";
    const QList<PictureMark> all = parse_marks(answer);
    QCOMPARE(all.size(), 2);
    for (int length = 0; length <= answer.size(); ++length) {
      const QList<PictureMark> found = parse_marks(answer.left(length));
      QCOMPARE(found, all.first(found.size()));
      QCOMPARE(found.size(), answer.left(length).count('}'));
    }
  }

  // What is open when the nesting is too deep is dropped, and what follows is read.
  void deepNesting() {
    const QString entry = "{\"bbox_2d\": [100, 200, 300, 400], \"label\": \"a ring\"}";
    QCOMPARE(parse_marks(QString("[").repeated(200'000) + " .. " + entry).size(), 1);
    QCOMPARE(parse_marks(QString("{\"a\":").repeated(100'000) + " .. " + entry).size(), 1);
  }
};

QTEST_GUILESS_MAIN(ParseMarksTest)
#include "tst_parse_marks.moc"
