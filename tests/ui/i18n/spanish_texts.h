// The Spanish texts as they stand in the sources, for tests that run in Spanish.
#pragma once

#include <QFile>
#include <QHash>
#include <QPair>
#include <QTranslator>
#include <QXmlStreamReader>

namespace poplens::test {

class SpanishTexts : public QTranslator {
 public:
  SpanishTexts() {
    QFile file(QString(POPLENS_SOURCE_DIR) + "/ui/i18n/poplens_es.ts");
    if (!file.open(QIODevice::ReadOnly)) return;
    QXmlStreamReader xml(&file);
    QString context;
    QString source;
    while (!xml.atEnd()) {
      if (xml.readNext() != QXmlStreamReader::StartElement) continue;
      if (xml.name() == QLatin1String("name")) context = xml.readElementText();
      if (xml.name() == QLatin1String("source")) source = xml.readElementText();
      if (xml.name() == QLatin1String("translation")) {
        texts_.insert({context, source}, xml.readElementText(QXmlStreamReader::IncludeChildElements));
      }
    }
  }

  bool isEmpty() const override { return texts_.isEmpty(); }
  QString translate(const char* context, const char* source, const char* = nullptr, int = -1) const override {
    return texts_.value({QString::fromUtf8(context), QString::fromUtf8(source)});
  }

 private:
  QHash<QPair<QString, QString>, QString> texts_;
};

}  // namespace poplens::test
