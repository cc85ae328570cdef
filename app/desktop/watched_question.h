// Whether the window stays quick while a model reads: `poplens --ask TEXT`.
#pragma once

#include <optional>

#include <QObject>

#include "ui/base/ui_watch.h"
#include "ui/models/program.h"

namespace poplens::desktop {

// Asks one question by itself, and watches the window's thread from sending it to the first token.
class WatchedQuestion : public QObject {
  Q_OBJECT

 public:
  struct Options {
    QString question;
    QString picture;         // empty: none
    int picture_tokens = 0;  // its budget; 0: the model's own
  };
  WatchedQuestion(ui::Program& program, Options options, QObject* parent = nullptr);

  // Two lines: what was answered, and how the thread was meanwhile. Or why there was no answer.
  QString report() const;

 signals:
  void finished(bool well);

 private:
  void attach();
  void send();
  void end();

  ui::Program& program_;
  Options options_;
  bool attached_ = false;
  std::optional<ui::UiWatch> watch_;
  QString thread_;   // what it says
  QString refusal_;  // why the picture cannot be sent
};

}  // namespace poplens::desktop
