#include "ui/base/task_thread.h"

namespace poplens::ui {

TaskThread::TaskThread(const QString& name, std::function<void()> at_start) : context_(new QObject) {
  thread_.setObjectName(name);
  context_->moveToThread(&thread_);
  if (at_start) post(std::move(at_start));
  thread_.start();
}

TaskThread::~TaskThread() {
  // Posted last, so that everything posted before has run.
  post([this] { thread_.quit(); });
  thread_.wait();
  delete context_;
}

void TaskThread::post(std::function<void()> task) {
  QMetaObject::invokeMethod(context_, std::move(task), Qt::QueuedConnection);
}

}  // namespace poplens::ui
