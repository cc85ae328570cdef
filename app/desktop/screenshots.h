// The README's pictures, made from the running program: `poplens --screenshots FOLDER --picture FILE`.
#pragma once

#include <functional>
#include <vector>

#include <QObject>
#include <QQuickWindow>
#include <QTimer>

#include "ui/models/program.h"

namespace poplens::desktop {

// Asks the program what a person would ask it, waits for the answers and writes every screen as PNG, light and dark.
class Screenshots : public QObject {
  Q_OBJECT

 public:
  struct Options {
    QString folder;   // where the pictures go
    QString picture;  // what is asked about
  };
  Screenshots(ui::Program& program, QQuickWindow& window, Options options, QObject* parent = nullptr);

  void start();

 signals:
  void finished(bool well);

 private:
  struct Step {
    std::function<void()> act;
    std::function<bool()> done;
  };
  void add(
      std::function<void()> act, std::function<bool()> done = [] { return true; });
  void attach();
  void ask(const QString& question);
  void shoot(const QString& screen, const QString& name);
  void advance();

  ui::Program& program_;
  QQuickWindow& window_;
  Options options_;
  std::vector<Step> steps_;
  size_t next_ = 0;
  bool begun_ = false;
  bool well_ = true;
  int waited_ = 0;
  QTimer timer_;
};

}  // namespace poplens::desktop
