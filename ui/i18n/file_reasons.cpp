#include <QtGlobal>

#include "ui/i18n/reason_catalogue.h"

namespace poplens::ui {

// What files, folders and the conversations' database do not let be done.
std::span<const char* const> file_reasons() {
  static constexpr const char* kReasons[] = {
      QT_TRANSLATE_NOOP("Reason", "cannot be mapped: %1"),
      QT_TRANSLATE_NOOP("Reason", "not a regular file"),
      QT_TRANSLATE_NOOP("Reason", "not a JSON object"),
      QT_TRANSLATE_NOOP("Reason", "cannot be read as JSON: %1"),
      QT_TRANSLATE_NOOP("Reason", "not valid JSON"),
      QT_TRANSLATE_NOOP("Reason", "not valid JSON at byte %1"),
      QT_TRANSLATE_NOOP("Reason", "more than %1 values"),
      QT_TRANSLATE_NOOP("Reason", "nested more than %1 deep"),
      QT_TRANSLATE_NOOP("Reason", "binary data"),
      QT_TRANSLATE_NOOP("Reason", "%1 bytes, more than the %2 that such a file may have"),
      QT_TRANSLATE_NOOP("Reason", "a file to write to has no name"),
      QT_TRANSLATE_NOOP("Reason", "cannot be written: %1"),
      QT_TRANSLATE_NOOP("Reason", "is a folder, not a file to write to"),
      QT_TRANSLATE_NOOP("Reason", "is a device or a pipe, which no file can take the place of"),
      QT_TRANSLATE_NOOP("Reason", "cannot be read: %1"),
      QT_TRANSLATE_NOOP("Reason", "the conversations' database: %1"),
      QT_TRANSLATE_NOOP("Reason", "Qt's SQLite driver is not installed (Debian: libqt6sql6-sqlite)"),
      QT_TRANSLATE_NOOP("Reason", "the folder cannot be made"),
      QT_TRANSLATE_NOOP("Reason", "the folder for the pictures cannot be made"),
      QT_TRANSLATE_NOOP("Reason", "the picture folder cannot be made"),
      QT_TRANSLATE_NOOP("Reason", "%1; it cannot be moved aside either"),
      QT_TRANSLATE_NOOP("Reason", "\"%1\" is no picture's hash"),
      QT_TRANSLATE_NOOP("Reason", "No such file or directory"),
      QT_TRANSLATE_NOOP("Reason", "Permission denied"),
      QT_TRANSLATE_NOOP("Reason", "Operation not permitted"),
      QT_TRANSLATE_NOOP("Reason", "No space left on device"),
      QT_TRANSLATE_NOOP("Reason", "Disk quota exceeded"),
      QT_TRANSLATE_NOOP("Reason", "Read-only file system"),
      QT_TRANSLATE_NOOP("Reason", "Is a directory"),
      QT_TRANSLATE_NOOP("Reason", "Not a directory"),
      QT_TRANSLATE_NOOP("Reason", "File name too long"),
      QT_TRANSLATE_NOOP("Reason", "File too large"),
      QT_TRANSLATE_NOOP("Reason", "Input/output error"),
      QT_TRANSLATE_NOOP("Reason", "Cannot allocate memory"),
      QT_TRANSLATE_NOOP("Reason", "Too many open files"),
      QT_TRANSLATE_NOOP("Reason", "unable to open database file"),
      QT_TRANSLATE_NOOP("Reason", "attempt to write a readonly database"),
      QT_TRANSLATE_NOOP("Reason", "database or disk is full"),
      QT_TRANSLATE_NOOP("Reason", "database is locked"),
      QT_TRANSLATE_NOOP("Reason", "disk I/O error"),
      QT_TRANSLATE_NOOP("Reason", "database disk image is malformed"),
      QT_TRANSLATE_NOOP("Reason", "file is not a database"),
  };
  return kReasons;
}

}  // namespace poplens::ui
