#include "ui/store/picture_desk.h"

#include <QBuffer>
#include <QFile>
#include <QFileInfo>

#include "ui/i18n/reason_text.h"
#include "vision/image_decode.h"
#include "vision/picture_encoder.h"

namespace poplens::ui {
namespace {

// More than any camera writes; a dropped disk image must not fill the memory.
constexpr qint64 kMostBytes = qint64{512} << 20;

}  // namespace

PictureDesk::PictureDesk(PictureFolder pictures, QObject* parent)
    : QObject(parent), pictures_(std::move(pictures)), thread_(QStringLiteral("pictures")) {}

template <typename Work>
void PictureDesk::post(quint64 id, Work work) {
  thread_.run(this, std::move(work),
              [this, id](const Measured& result) { emit measured(id, result.picture, result.reason); });
}

void PictureDesk::set_model(const QString& folder) {
  thread_.post([this, folder] {
    measurer_.reset();
    no_measurer_.clear();
    const std::filesystem::path path(folder.toStdString());
    auto config = read_model_config(path);
    auto measurer = config.ok() ? make_picture_measurer(path, *config, std::nullopt)
                                : Result<std::shared_ptr<PictureMeasurer>>(config.error());
    if (!measurer.ok()) {
      no_measurer_ = reason_text(measurer.error().message);
    } else if (*measurer == nullptr) {
      no_measurer_ = tr("This model reads no pictures.");
    } else {
      measurer_ = *measurer;
    }
  });
}

PictureDesk::Measured PictureDesk::measure_bytes(SentPicture picture, const QByteArray& bytes) {
  if (measurer_ == nullptr) return {picture, no_measurer_};
  Picture file{.name = picture.name.toStdString(),
               .bytes = std::as_bytes(std::span(bytes.constData(), static_cast<size_t>(bytes.size())))};
  if (picture.maxTokens > 0) file.max_tokens = picture.maxTokens;
  auto geometry = measurer_->measure(file);
  if (!geometry.ok()) return {picture, reason_text(geometry.error().message)};
  picture.size = {geometry->width, geometry->height};
  picture.modelSize = {geometry->model_width, geometry->model_height};
  picture.tokens = static_cast<int>(geometry->soft_tokens());
  return {picture, {}};
}

PictureDesk::Measured PictureDesk::store_and_measure(SentPicture picture, const QByteArray& bytes) {
  auto hash = pictures_.add(bytes);
  if (!hash.ok()) return {picture, reason_text(hash.error().message)};
  picture.hash = *hash;
  return measure_bytes(picture, bytes);
}

void PictureDesk::take_file(quint64 id, const QString& path, int max_tokens) {
  post(id, [this, path, max_tokens]() -> Measured {
    SentPicture picture;
    picture.name = QFileInfo(path).fileName();
    picture.maxTokens = max_tokens;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
      return {picture, tr("%1: %2").arg(picture.name, reason_text(file.errorString()))};
    if (file.size() > kMostBytes) return {picture, tr("%1 is larger than 512 MB.").arg(picture.name)};
    return store_and_measure(picture, file.readAll());
  });
}

void PictureDesk::take_image(quint64 id, const QString& name, const QImage& image, int max_tokens) {
  post(id, [this, name, image, max_tokens]() -> Measured {
    SentPicture picture;
    picture.name = name;
    picture.maxTokens = max_tokens;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!buffer.open(QIODevice::WriteOnly) || !image.save(&buffer, "PNG")) {
      return {picture, tr("%1 cannot be stored as PNG.").arg(name)};
    }
    return store_and_measure(picture, bytes);
  });
}

void PictureDesk::measure(quint64 id, const SentPicture& picture) {
  post(id, [this, picture]() -> Measured {
    auto bytes = pictures_.read(picture.hash);
    if (!bytes.ok()) return {picture, reason_text(bytes.error().message)};
    return measure_bytes(picture, *bytes);
  });
}

QString PictureDesk::damage_of(const SentPicture& picture) const {
  const auto bytes = pictures_.read(picture.hash);
  if (!bytes.ok()) return reason_text(bytes.error().message);
  const auto image = decode_image(std::as_bytes(std::span(bytes->constData(), static_cast<size_t>(bytes->size()))),
                                  picture.name.toStdString());
  return image.ok() ? QString() : reason_text(image.error().message);
}

void PictureDesk::check(quint64 id, const SentPicture& picture) {
  thread_.run(
      this, [this, picture] { return damage_of(picture); },
      [this, id](const QString& reason) {
        if (!reason.isEmpty()) emit damaged(id, reason);
      });
}

}  // namespace poplens::ui
