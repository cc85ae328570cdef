// The program without a window, on the bundled model: a fresh data folder for every test, and a person's first steps.
#pragma once

#include <QAbstractItemModelTester>
#include <QTemporaryDir>
#include <QTest>

#include "ui/engine/engine_client.h"
#include "ui/models/program.h"

namespace poplens::ui::test {

inline const QString kModel = QString(POPLENS_SOURCE_DIR) + "/assets/models/demo-qwen3-vl";
inline const QString kPicture = QString(POPLENS_SOURCE_DIR) + "/assets/samples/shapes.png";
constexpr int kLongMs = 60'000;

struct ChatTesters {
  explicit ChatTesters(Program& program)
      : messages(program.chat()->messages(), Mode::QtTest),
        attachments(program.chat()->attachments(), Mode::QtTest),
        conversations(program.conversations(), Mode::QtTest) {}
  using Mode = QAbstractItemModelTester::FailureReportingMode;
  QAbstractItemModelTester messages, attachments, conversations;
};

// Beside QObject a base of a test, which calls begin() and end() from its init() and cleanup().
class ChatFixture {
 protected:
  void begin() {
    folder_ = std::make_unique<QTemporaryDir>();
    start();
  }
  void end() {
    testers_.reset();
    program_.reset();
  }

  Chat* chat() { return program_->chat(); }

  void start() {
    program_ = std::make_unique<Program>(ProgramOptions{.data_folder = folder_->path(), .default_model = kModel});
    testers_ = std::make_unique<ChatTesters>(*program_);
    program_->start();
    QTRY_VERIFY(!program_->engine()->folder().isEmpty());
    program_->settings()->setMaxTokens(24);
  }

  void restart() {
    end();
    start();
  }

  void attach() {
    chat()->attachments()->addFiles({QUrl::fromLocalFile(kPicture)});
    QTRY_VERIFY_WITH_TIMEOUT(chat()->attachments()->ready() && chat()->attachments()->count() > 0, kLongMs);
  }

  void ask(const QString& text) {
    chat()->setDraft(text);
    chat()->send();
    QVERIFY(chat()->running());
    QTRY_VERIFY_WITH_TIMEOUT(!chat()->running(), kLongMs);
  }

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<Program> program_;
  std::unique_ptr<ChatTesters> testers_;
};

}  // namespace poplens::ui::test
