// The tokenizers that the tests run on, and the golden values beside them (tests/reference/tokenizer_goldens.py).
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QString>
#include <QTemporaryDir>
#include <nlohmann/json.hpp>

#include "engine/tokenizer/sha256.h"
#include "engine/tokenizer/tokenizer.h"

namespace poplens::test {

inline QString data_folder(const QString& name) {
  return QStringLiteral(POPLENS_TEST_DATA "/data/tokenizer/") + name;
}

inline QByteArray read_all(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline nlohmann::json golden(const QString& path) {
  const QByteArray text = read_all(data_folder(path));
  return nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
}

// A model folder: the one that is committed, unpacked where its tokenizer.json is an .xz. Gemma-3's vocabulary can't be
// committed: its folder lies in the folder that POPLENS_TOKENIZERS names.
class ModelFolder {
 public:
  explicit ModelFolder(const QString& name) {
    QString source = data_folder(name);
    if (name == "gemma3") source = qEnvironmentVariable("POPLENS_TOKENIZERS") + "/gemma3";
    for (const QString& file : QDir(source).entryList({"tokenizer*", "chat_template*"}, QDir::Files)) {
      const QString path = source + "/" + file;
      if (!file.endsWith(".xz")) {
        QFile::copy(path, unpacked_.filePath(file));
        continue;
      }
      QProcess xz;
      xz.setStandardOutputFile(unpacked_.filePath(file.chopped(3)));
      xz.start("xz", {"-dc", path});
      if (!xz.waitForFinished(60'000) || xz.exitCode() != 0)
        problem_ = "xz (Debian: xz-utils) could not unpack " + path;
    }
  }

  bool present() const { return QFile::exists(unpacked_.filePath("tokenizer.json")); }
  const QString& problem() const { return problem_; }
  std::filesystem::path path() const { return unpacked_.path().toStdString(); }

 private:
  QTemporaryDir unpacked_;
  QString problem_;
};

inline std::string ids_digest(const std::vector<int32_t>& ids) {
  std::string text;
  for (const int32_t id : ids) {
    if (!text.empty()) text += ',';
    text += std::to_string(id);
  }
  return sha256_hex(text);
}

// A readable sentence for a failed comparison.
inline QString shown(const std::string& text, const std::vector<int32_t>& ids) {
  return QString::fromStdString(nlohmann::json(text).dump(-1, ' ', true).substr(0, 400) + " -> " +
                                nlohmann::json(ids).dump().substr(0, 400));
}

}  // namespace poplens::test
