// "image://pictures/HASH": pictures of conversations, decoded as the engine decodes them, off the user interface's
// thread.
#pragma once

#include <QQuickImageProvider>

#include "ui/store/picture_folder.h"

namespace poplens::ui {

class PictureProvider : public QQuickImageProvider {
 public:
  explicit PictureProvider(PictureFolder pictures);

  QImage requestImage(const QString& hash, QSize* size, const QSize& requested) override;

 private:
  PictureFolder pictures_;
};

}  // namespace poplens::ui
