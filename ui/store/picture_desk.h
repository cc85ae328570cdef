// Reads, stores and measures pictures that are about to be sent, on a thread of its own: a file may lie on a slow disk.
#pragma once

#include <memory>
#include <optional>

#include <QImage>
#include <QObject>
#include <QString>

#include "engine/session/image_encoder.h"
#include "ui/base/task_thread.h"
#include "ui/engine/jobs.h"
#include "ui/store/picture_folder.h"

namespace poplens::ui {

class PictureDesk : public QObject {
  Q_OBJECT

 public:
  explicit PictureDesk(PictureFolder pictures, QObject* parent = nullptr);

  // Pictures are measured as this model would see them from now on.
  void set_model(const QString& folder);

  // `id` is the caller's own and comes back with measured().
  void take_file(quint64 id, const QString& path, int max_tokens);
  void take_image(quint64 id, const QString& name, const QImage& image, int max_tokens);
  void measure(quint64 id, const SentPicture& picture);
  // Decodes a stored picture, which takes long: its header has told its size, and its data may be damaged all the same.
  void check(quint64 id, const SentPicture& picture);

 signals:
  // `reason` is empty, or one sentence that says why the picture cannot be sent.
  void measured(quint64 id, const poplens::ui::SentPicture& picture, const QString& reason);
  // Only of a checked picture that cannot be decoded: why.
  void damaged(quint64 id, const QString& reason);

 private:
  struct Measured {
    SentPicture picture;
    QString reason;
  };
  template <typename Work>
  void post(quint64 id, Work work);
  Measured store_and_measure(SentPicture picture, const QByteArray& bytes);
  Measured measure_bytes(SentPicture picture, const QByteArray& bytes);
  // Why the picture cannot be decoded, or nothing.
  QString damage_of(const SentPicture& picture) const;

  PictureFolder pictures_;
  std::shared_ptr<PictureMeasurer> measurer_;  // both touched on thread_ only
  QString no_measurer_;                        // why there is none
  TaskThread thread_;
};

}  // namespace poplens::ui
