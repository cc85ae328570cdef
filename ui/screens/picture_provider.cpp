#include "ui/screens/picture_provider.h"

#include "vision/image_decode.h"

namespace poplens::ui {

PictureProvider::PictureProvider(PictureFolder pictures)
    : QQuickImageProvider(QQuickImageProvider::Image, QQmlImageProviderBase::ForceAsynchronousImageLoading),
      pictures_(std::move(pictures)) {}

QImage PictureProvider::requestImage(const QString& hash, QSize* size, const QSize& requested) {
  auto bytes = pictures_.read(hash);
  if (!bytes.ok()) return {};
  auto decoded = decode_image(std::as_bytes(std::span(bytes->constData(), static_cast<size_t>(bytes->size()))),
                              hash.toStdString());
  if (!decoded.ok()) return {};
  constexpr int kChannels = 3;
  const QImage view(decoded->rgb.data(), decoded->width, decoded->height, decoded->width * kChannels,
                    QImage::Format_RGB888);
  if (size != nullptr) *size = view.size();
  if (requested.width() <= 0 && requested.height() <= 0) return view.copy();
  QSize target = view.size();
  target.scale(requested.width() > 0 ? requested.width() : view.width(),
               requested.height() > 0 ? requested.height() : view.height(), Qt::KeepAspectRatio);
  if (target.width() >= view.width()) return view.copy();
  return view.scaled(target, Qt::KeepAspectRatio, Qt::SmoothTransformation);
}

}  // namespace poplens::ui
