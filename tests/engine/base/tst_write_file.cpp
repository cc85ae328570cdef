// Files written whole: what lies at the place decides whether it may be taken.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <QTemporaryDir>
#include <QtTest>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/write_file.h"

using namespace poplens;
namespace fs = std::filesystem;

namespace {

std::string content_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

class WriteFileTest : public QObject {
  Q_OBJECT

 private slots:
  void takes_the_place_of_a_file() {
    QVERIFY(write_file(folder() / "a", "old").ok());
    QVERIFY(write_file(folder() / "a", "new").ok());
    QCOMPARE(content_of(folder() / "a"), std::string("new"));
    QVERIFY(!fs::exists(folder() / "a.new"));
  }

  void rights_and_neighbours_stay() {
    QVERIFY(write_file(folder() / "mine", "old").ok());
    QVERIFY(write_file(folder() / "mine.new", "a file of somebody's").ok());
    QCOMPARE(::chmod((folder() / "mine").c_str(), 0640), 0);
    QVERIFY(write_file(folder() / "mine", "new").ok());
    QCOMPARE(content_of(folder() / "mine"), std::string("new"));
    QCOMPARE(content_of(folder() / "mine.new"), std::string("a file of somebody's"));
    QCOMPARE(static_cast<int>(fs::status(folder() / "mine").permissions()), 0640);
    QVERIFY(!fs::exists(folder() / "mine.new1"));
  }

  void a_file_that_may_not_be_written_stays() {
    if (::geteuid() == 0) QSKIP("root may write everything");
    QVERIFY(write_file(folder() / "kept", "old").ok());
    QCOMPARE(::chmod((folder() / "kept").c_str(), 0444), 0);
    QVERIFY(!write_file(folder() / "kept", "new").ok());
    QCOMPARE(content_of(folder() / "kept"), std::string("old"));
  }

  void a_link_stays() {
    QVERIFY(write_file(folder() / "target", "old").ok());
    fs::create_symlink("target", folder() / "link");
    QVERIFY(write_file(folder() / "link", "new").ok());
    QVERIFY(fs::is_symlink(folder() / "link"));
    QCOMPARE(content_of(folder() / "target"), std::string("new"));
  }

  void a_link_to_nothing_yet_stays() {
    fs::create_symlink("later", folder() / "first");
    fs::create_symlink("first", folder() / "second");
    QVERIFY(write_file(folder() / "second", "new").ok());
    QVERIFY(fs::is_symlink(folder() / "second") && fs::is_symlink(folder() / "first"));
    QCOMPARE(content_of(folder() / "later"), std::string("new"));
    fs::create_symlink("none/x", folder() / "astray");
    QVERIFY(!write_file(folder() / "astray", "new").ok());
    QVERIFY(fs::is_symlink(folder() / "astray"));
  }

  void a_pipe_stays() {
    const fs::path pipe = folder() / "pipe";
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    const auto written = write_file(pipe, "new");
    QVERIFY(!written.ok());
    QCOMPARE(written.error().message, pipe.string() + ": is a device or a pipe, which no file can take the place of");
    QVERIFY(fs::is_fifo(pipe));
  }

  void folders_and_no_name_are_refused() {
    for (const fs::path& path : {folder(), folder() / ".", fs::path("/")}) {
      const auto written = write_file(path, "new");
      QVERIFY(!written.ok());
      QVERIFY(written.error().message.ends_with(": is a folder, not a file to write to"));
    }
    QVERIFY(!write_file({}, "new").ok());
  }

 private:
  fs::path folder() const { return fs::path(folder_.path().toStdString()); }

  QTemporaryDir folder_;
};

QTEST_APPLESS_MAIN(WriteFileTest)
#include "tst_write_file.moc"
