// What the tests of this room share: the golden files of tests/data/vision, made by tests/reference/vision_goldens.py.
#pragma once

#include <span>
#include <vector>

#include <QCryptographicHash>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>

#include "vision/image.h"

namespace vision_data {

inline QString path(const QString& name) {
  return QStringLiteral(POPLENS_TEST_DATA "/data/vision/") + name;
}

// The whole file; empty if it cannot be read.
inline QByteArray read(const QString& name) {
  QFile file(path(name));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline QJsonDocument json(const QString& name) {
  return QJsonDocument::fromJson(read(name));
}

inline std::span<const std::byte> bytes_of(const QByteArray& data) {
  return std::as_bytes(std::span(data.constData(), static_cast<size_t>(data.size())));
}

template <typename T>
QString sha256(const std::vector<T>& values) {
  const QByteArray view = QByteArray::fromRawData(reinterpret_cast<const char*>(values.data()),
                                                  static_cast<qsizetype>(values.size()) * qsizetype{sizeof(T)});
  return QString::fromLatin1(QCryptographicHash::hash(view, QCryptographicHash::Sha256).toHex());
}

// `formula_picture` of vision_goldens.py.
inline poplens::Image formula_picture(int width, int height) {
  poplens::Image image{width, height, {}};
  image.rgb.reserve(static_cast<size_t>(width) * static_cast<size_t>(height) * 3);
  for (uint32_t y = 0; y < static_cast<uint32_t>(height); ++y)
    for (uint32_t x = 0; x < static_cast<uint32_t>(width); ++x)
      for (uint32_t c = 0; c < 3; ++c)
        image.rgb.push_back(static_cast<uint8_t>(((x * 73856093u) ^ (y * 19349663u) ^ (c * 83492791u)) >> 8));
  return image;
}

}  // namespace vision_data
