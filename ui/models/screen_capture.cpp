#include "ui/models/screen_capture.h"

#include <QPointer>

#include "ui/models/attachment_list_model.h"

namespace poplens::ui {
namespace {

// Compositors fade windows out.
constexpr int kHideMs = 300;
// The desktop may ask the person first, and which part of the screen they mean.
constexpr int kMostMs = 120'000;

}  // namespace

ScreenCapture::ScreenCapture(std::shared_ptr<ScreenGrabber> grabber, AttachmentListModel* attachments, QObject* parent)
    : QObject(parent), grabber_(std::move(grabber)), attachments_(attachments) {
  hiding_.setSingleShot(true);
  patience_.setSingleShot(true);
  set_delays(kHideMs, kMostMs);
  connect(&hiding_, &QTimer::timeout, this, &ScreenCapture::grab);
  connect(&patience_, &QTimer::timeout, this,
          [this] { finish({.reason = tr("The desktop gave no picture of the screen in time.")}); });
}

void ScreenCapture::set_delays(int hide_ms, int most_ms) {
  hiding_.setInterval(hide_ms);
  patience_.setInterval(most_ms);
}

void ScreenCapture::begin(const QString& screen) {
  if (running_) return;
  if (grabber_ == nullptr) {
    emit failed(tr("The screen cannot be taken here; take it with the desktop's own program, and paste it."));
    return;
  }
  screen_ = screen;
  ++number_;
  running_ = true;
  emit runningChanged();
  hiding_.start();
  patience_.start();
}

void ScreenCapture::grab() {
  grabber_->grab(screen_, [self = QPointer(this), number = number_](const ScreenGrab& grab) {
    if (self && self->running_ && number == self->number_) self->finish(grab);
  });
}

void ScreenCapture::finish(const ScreenGrab& grab) {
  hiding_.stop();
  patience_.stop();
  running_ = false;
  emit runningChanged();
  if (!grab.reason.isEmpty()) {
    emit failed(grab.reason);
  } else if (grab.file.isValid()) {
    attachments_->addFiles({grab.file});
  } else if (!grab.image.isNull()) {
    attachments_->add_image(tr("Screen.png"), grab.image);
  } else if (!grab.cancelled) {
    emit failed(tr("The screen cannot be taken here; take it with the desktop's own program, and paste it."));
  }
}

}  // namespace poplens::ui
