// Sees every call of this process into the file system, whoever makes it: the functions of the C library are defined
// here once more, note what is asked of them, and hand it on. For a test program of its own, which compiles it in.
#pragma once

#include <QStringList>

namespace poplens::test {

// Notes the calls of the thread that makes it, for as long as it lives. One at a time.
class FileWatch {
 public:
  FileWatch();
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  // "open /home/…/chats.sqlite" with the calls that led to it, one line each; without those that Qt makes for itself
  // (fonts, plug-ins, themes).
  QStringList calls() const;
  // How many calls the other threads have made meanwhile: 0 says that nothing is seen at all.
  int calls_of_others() const;
};

}  // namespace poplens::test
