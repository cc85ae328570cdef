// A device as the engine describes it ("CPU, AVX2, 2 threads"), in the person's language.
#pragma once

#include <QString>

namespace poplens::ui {

QString device_text(const QString& description);

}  // namespace poplens::ui
