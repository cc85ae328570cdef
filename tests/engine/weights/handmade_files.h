// Safetensors files written byte by byte, so that they can lie.
#pragma once

#include <string>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

inline QByteArray safetensors_bytes(const QByteArray& header, qsizetype data_bytes) {
  QByteArray file;
  for (int i = 0; i < 8; ++i) file.append(static_cast<char>((static_cast<quint64>(header.size()) >> (8 * i)) & 0xFF));
  file += header;
  // No two neighbours alike, so that a tensor read from a wrong place shows.
  for (qsizetype i = 0; i < data_bytes; ++i) file.append(static_cast<char>(i * 7 + 1));
  return file;
}

inline std::string write_file(const QTemporaryDir& folder, const QString& name, const QByteArray& bytes) {
  const QString path = folder.filePath(name);
  QDir().mkpath(QFileInfo(path).path());
  QFile::remove(path);  // a file system may wait for the disk when a file is written over, and tests do so by thousands
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("cannot write the test's own file");
  return path.toStdString();
}
