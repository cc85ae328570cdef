#include "app/desktop/screenshots.h"

#include <QDir>
#include <QTextStream>

namespace poplens::desktop {
namespace {

constexpr int kStepMs = 100;
// After which a step counts as stuck.
constexpr int kMostSteps = 6000;

}  // namespace

Screenshots::Screenshots(ui::Program& program, QQuickWindow& window, Options options, QObject* parent)
    : QObject(parent), program_(program), window_(window), options_(std::move(options)) {
  timer_.setInterval(kStepMs);
  connect(&timer_, &QTimer::timeout, this, &Screenshots::advance);
}

void Screenshots::add(std::function<void()> act, std::function<bool()> done) {
  steps_.push_back({std::move(act), std::move(done)});
}

void Screenshots::ask(const QString& question) {
  add(
      [this, question] {
        program_.chat()->setDraft(question);
        program_.chat()->send();
      },
      [this] { return !program_.chat()->running(); });
}

void Screenshots::attach() {
  ui::Chat* chat = program_.chat();
  add([chat, this] { chat->attachments()->addFiles({QUrl::fromLocalFile(options_.picture)}); },
      [chat] { return chat->attachments()->count() > 0 && chat->attachments()->ready() && chat->ahead()->done(); });
}

void Screenshots::shoot(const QString& screen, const QString& name) {
  for (const auto scheme : {ui::Settings::Light, ui::Settings::Dark}) {
    const QString path =
        options_.folder + QString("/%1-%2.png").arg(name, scheme == ui::Settings::Light ? "light" : "dark");
    add([this, screen, scheme] {
      program_.settings()->setScheme(scheme);
      window_.setProperty("screen", screen);
    });
    // Colours and pictures take a moment to arrive.
    for (int i = 0; i < 5; ++i) add([] {});
    add([this, path] { well_ = window_.grabWindow().save(path) && well_; });
  }
}

void Screenshots::start() {
  QDir().mkpath(options_.folder);
  ui::Chat* chat = program_.chat();
  add([] {}, [this] { return program_.engine()->state() == ui::EngineState::Ready; });
  attach();
  ask("Describe this image.");
  add([this] {
    program_.pop()->setOn(true);
    program_.pop()->setDepth(program_.engine()->layers() / 3);
  });
  ask("What word is written?");
  shoot("chat", "chat");
  ui::Compare* compare = program_.compare();
  add(
      [compare] {
        compare->openCurrent();
        compare->start();
      },
      [compare] { return !compare->running(); });
  add([compare] { compare->sweep()->start(); }, [compare] { return !compare->sweep()->running(); });
  shoot("compare", "compare");
  shoot("models", "models");
  shoot("settings", "settings");
  add([chat, this] {
    chat->begin();
    program_.pop()->setOn(false);
  });
  attach();
  ask("Give the boxes of all shapes in json.");
  shoot("chat", "boxes");
  timer_.start();
}

void Screenshots::advance() {
  if (next_ == steps_.size() || waited_ > kMostSteps) {
    timer_.stop();
    if (waited_ > kMostSteps) QTextStream(stderr) << "screenshots: step " << next_ << " does not end\n";
    emit finished(well_ && next_ == steps_.size());
    return;
  }
  if (!begun_) steps_[next_].act();
  begun_ = true;
  ++waited_;
  if (!steps_[next_].done()) return;
  ++next_;
  begun_ = false;
  waited_ = 0;
}

}  // namespace poplens::desktop
