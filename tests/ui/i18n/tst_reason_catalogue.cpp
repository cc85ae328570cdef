// Every reason that somebody can meet stands in the catalogue, and the catalogue in Spanish.
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include "tests/ui/i18n/spanish_texts.h"
#include "ui/i18n/reason_catalogue.h"
#include "ui/i18n/reason_text.h"

using namespace poplens::ui;
using namespace poplens::test;

namespace {

// What these rooms say comes to people's eyes as it is.
const QStringList kRooms = {"engine/base",    "engine/model",    "engine/session",
                            "engine/weights", "engine/pop/cost", "engine/pop/profile.cpp",
                            "vision",         "ui/engine",       "ui/store"};
// The command line's alone, and what is stopped because nobody waits for it.
const QStringList kNeverShown = {
    "device cuda: this build has no CUDA backend; use --device cpu",
    "pan and scan belongs to Gemma-3; this model takes pictures whole",
    "no memory for",
    "the logits of",
    "another model was loaded meanwhile",
};
constexpr int kLeastLetters = 10;

QStringList catalogue() {
  QStringList all;
  for (const auto reasons : {config_reasons(), file_reasons(), picture_reasons(), session_reasons(),
                             tokenizer_reasons(), weights_reasons()}) {
    for (const char* reason : reasons) all.append(reason);
  }
  return all;
}

QStringList placeholders(const QString& sentence) {
  static const QRegularExpression placeholder("%[0-9]");
  QStringList found;
  for (const auto& match : placeholder.globalMatch(sentence)) found.append(match.captured());
  found.sort();
  return found;
}

// A name in quotes is as good as a placeholder in quotes.
QString without_names(QString text) {
  static const QRegularExpression name("'[A-Za-z0-9_.%]+'");
  return text.replace(name, "'%'");
}

QStringList sources() {
  QStringList files;
  for (const QString& room : kRooms) {
    const QString path = QString(POPLENS_SOURCE_DIR) + "/" + room;
    if (room.endsWith(".cpp")) files.append(path);
    QDirIterator all(path, {"*.cpp", "*.h"}, QDir::Files, QDirIterator::Subdirectories);
    while (all.hasNext()) files.append(all.next());
  }
  return files;
}

// The string literals of one expression that ends where its bracket closes, those that follow each other joined.
QStringList literals_until_closed(const QString& code, qsizetype at) {
  QStringList literals;
  bool joins = false;
  for (int depth = 1; at < code.size() && depth > 0; ++at) {
    const QChar c = code[at];
    if (c == '\'' && at + 2 < code.size()) {
      at += code[at + 1] == '\\' ? 3 : 2;
      joins = false;
    } else if (c == '"') {
      QString literal;
      for (++at; at < code.size() && code[at] != '"'; ++at) {
        if (code[at] == '\\') ++at;
        literal += code[at];
      }
      if (joins) literal.prepend(literals.takeLast());
      literals.append(literal);
      joins = true;
    } else {
      if (QStringLiteral("({").contains(c)) ++depth;
      if (QStringLiteral(")}").contains(c)) --depth;
      joins = joins && c.isSpace();
    }
  }
  return literals;
}

}  // namespace

class ReasonCatalogueTest : public QObject {
  Q_OBJECT

 private slots:
  void everySentenceIsSpanishToo_data() {
    QTest::addColumn<QString>("sentence");
    for (const QString& sentence : catalogue()) QTest::newRow(qPrintable(sentence)) << sentence;
  }
  void everySentenceIsSpanishToo() {
    QFETCH(QString, sentence);
    const QString spanish = SpanishTexts().translate("Reason", qPrintable(sentence));
    QVERIFY(!spanish.isEmpty());
    QVERIFY(spanish != sentence);
    QCOMPARE(placeholders(spanish), placeholders(sentence));
    QCOMPARE(placeholders(sentence).removeDuplicates(), 0);
    // A name before the sentence falls into the first placeholder.
    if (sentence.startsWith("%1")) QVERIFY2(spanish.startsWith("%1"), qPrintable(spanish));
  }

  void noSentenceTwice() {
    QStringList all = catalogue();
    QVERIFY(all.size() > 200);
    QCOMPARE(all.removeDuplicates(), 0);
  }

  // Whoever writes a new message is told here to add it.
  void everyMessageOfTheSources_data() {
    QTest::addColumn<QString>("path");
    const QStringList files = sources();
    QVERIFY2(files.size() > 100, "the folders are not what they were");
    for (const QString& file : files) QTest::newRow(qPrintable(file.mid(qstrlen(POPLENS_SOURCE_DIR) + 1))) << file;
  }
  void everyMessageOfTheSources() {
    static const QRegularExpression makes_a_message(
        R"(\b(Error\{|image_error\(|fail\(|wrong\(|entry_is\(|stop_at\(|check_memory\(|wrong_shape\())");
    QFETCH(QString, path);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString code = QString::fromUtf8(file.readAll());
    const QString known = without_names(catalogue().join('\n'));
    SpanishTexts texts;
    QVERIFY(QCoreApplication::installTranslator(&texts));
    QStringList forgotten;
    for (const auto& match : makes_a_message.globalMatch(code)) {
      for (const QString& literal : literals_until_closed(code, match.capturedEnd())) {
        QString fragment = literal.trimmed();
        if (fragment.startsWith(": ")) fragment.remove(0, 2);
        if (fragment.size() < kLeastLetters || kNeverShown.contains(fragment)) continue;
        const bool is_known = known.contains(without_names(fragment)) || reason_text(fragment) != fragment;
        if (!is_known) forgotten.append(fragment);
      }
    }
    QVERIFY2(forgotten.isEmpty(), qPrintable("not in ui/i18n/*_reasons.cpp:\n" + forgotten.join('\n')));
  }

  void inSpanish_data() {
    QTest::addColumn<QString>("english");
    QTest::addColumn<QString>("spanish");
    QTest::newRow("picture") << "50% %1.png: the file is cut off: it ends before the picture does"
                             << "50% %1.png: el archivo está cortado: termina antes que la imagen";
    QTest::newRow("memory")
        << "not enough memory: a prompt of 3000 tokens needs 9.1 GB, 7.4 GB are free"
        << "no hay memoria suficiente: una entrada de 3000 tokens necesita 9.1 GB y hay 7.4 GB libres";
    QTest::newRow("config") << "/m/config.json: text_config: 'hidden_act' is 'gelu', expected 'silu'"
                            << "/m/config.json: text_config: «hidden_act» es «gelu», se esperaba «silu»";
    QTest::newRow("disk") << "/out.csv: cannot be written: No space left on device"
                          << "/out.csv: no se puede escribir: no queda espacio en el disco";
    QTest::newRow("unknown") << "nobody knows this"
                             << "nobody knows this";
  }
  void inSpanish() {
    QFETCH(QString, english);
    QFETCH(QString, spanish);
    QCOMPARE(reason_text(english), english);
    SpanishTexts texts;
    QVERIFY(QCoreApplication::installTranslator(&texts));
    QCOMPARE(reason_text(english), spanish);
  }
};

QTEST_GUILESS_MAIN(ReasonCatalogueTest)
#include "tst_reason_catalogue.moc"
