// Text without a place to break a line: base64, keys.
#pragma once

#include <QString>

namespace poplens::ui {

// Whether a run of it is so long that breaking it where words end takes a window's time: that grows with the square of
// the run.
bool has_long_run(const QString& text);

}  // namespace poplens::ui
