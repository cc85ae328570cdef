// Runs the real poplens-cli and reads what it wrote.
#pragma once

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStringList>

namespace poplens::test {

struct CliRun {
  int status = -1;  // -1: it crashed, or did not end
  QByteArray out;
  QByteArray err;

  // The one JSON document that standard output holds; empty if there is more or something else.
  QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
  // Exit status 1 with exactly one line on standard error and nothing on standard output.
  bool failed_with_one_line() const {
    return status == 1 && out.isEmpty() && err.endsWith('\n') && err.count('\n') == 1 && err.size() > 1;
  }
};

inline CliRun run_cli(const QStringList& arguments, const QByteArray& input = {},
                      const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment()) {
  QProcess process;
  process.setProcessEnvironment(environment);
  process.start(QStringLiteral(POPLENS_BINARY_DIR "/bin/poplens-cli"), arguments);
  if (!input.isEmpty()) process.write(input);
  process.closeWriteChannel();
  process.waitForFinished(120'000);
  CliRun run;
  const bool ended = process.state() == QProcess::NotRunning && process.error() != QProcess::FailedToStart;
  if (ended && process.exitStatus() == QProcess::NormalExit) run.status = process.exitCode();
  run.out = process.readAllStandardOutput();
  run.err = process.readAllStandardError();
  if (run.status == -1) run.err += process.errorString().toUtf8();
  return run;
}

inline QString data_path(const QString& relative) {
  return QStringLiteral(POPLENS_TEST_DATA "/data/") + relative;
}

inline QString tiny_model() {
  return data_path("qwen3_vl/tiny-tied");
}

// A case of the model's golden values.
inline QJsonObject golden_case(const QString& model, const QString& name) {
  QFile file(model + "/cases.json");
  if (!file.open(QIODevice::ReadOnly)) return {};
  for (const QJsonValue entry : QJsonDocument::fromJson(file.readAll()).object()["cases"].toArray()) {
    if (entry.toObject()["name"] == name) return entry.toObject();
  }
  return {};
}

inline bool write_file(const QString& path, const QByteArray& content) {
  QFile file(path);
  return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
}

}  // namespace poplens::test
