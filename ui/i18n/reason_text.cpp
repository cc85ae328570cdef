#include "ui/i18n/reason_text.h"

#include <vector>

#include <QCoreApplication>

#include "ui/i18n/reason_catalogue.h"
#include "ui/i18n/reason_patterns.h"

namespace poplens::ui {
namespace {

std::vector<const char*> all_reasons() {
  std::vector<const char*> all;
  for (const auto reasons : {config_reasons(), file_reasons(), picture_reasons(), session_reasons(),
                             tokenizer_reasons(), weights_reasons()}) {
    all.insert(all.end(), reasons.begin(), reasons.end());
  }
  return all;
}

QString in_program_language(const char* sentence) {
  return QCoreApplication::translate("Reason", sentence);
}

}  // namespace

QString reason_text(const std::string& english) {
  static const ReasonPatterns patterns(all_reasons());
  return patterns.translated(english, in_program_language);
}

QString reason_text(const QString& english) {
  return reason_text(english.toStdString());
}

}  // namespace poplens::ui
