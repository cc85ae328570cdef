// Why something cannot be done, as engine, vision and store say it, in the program's language.
#pragma once

#include <string>

#include <QString>

namespace poplens::ui {

QString reason_text(const std::string& english);
QString reason_text(const QString& english);

}  // namespace poplens::ui
