// A thread of its own for work that the user interface must not wait for.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include <QObject>
#include <QPointer>
#include <QThread>

namespace poplens::ui {

// Tasks run one after the other, in the order in which they were posted. Those that have not begun when the object is
// destroyed are run all the same (a message to be stored is never dropped), so what must end early takes a stop token.
class TaskThread {
 public:
  // `at_start` runs on the thread before the first task.
  explicit TaskThread(const QString& name, std::function<void()> at_start = {});
  ~TaskThread();
  TaskThread(const TaskThread&) = delete;
  TaskThread& operator=(const TaskThread&) = delete;

  void post(std::function<void()> task);

  // Runs work() on this thread and hands its value to then() on the thread that made this object, unless `receiver`,
  // which lives there, is gone by then.
  template <typename Work, typename Then>
  void run(QObject* receiver, Work work, Then then) {
    post([this, guard = QPointer<QObject>(receiver), work = std::move(work), then = std::move(then)]() mutable {
      auto result = std::make_shared<decltype(work())>(work());
      // Whether the receiver is still there can only be asked on its own thread.
      QMetaObject::invokeMethod(
          &home_,
          [guard = std::move(guard), result = std::move(result), then = std::move(then)]() mutable {
            if (guard) then(std::move(*result));
          },
          Qt::QueuedConnection);
    });
  }

  // Whether the caller runs on this thread.
  bool is_current() const { return QThread::currentThread() == &thread_; }

 private:
  QObject home_;  // on the maker's thread; outlives thread_'s work
  QThread thread_;
  QObject* context_ = nullptr;  // lives on thread_
};

}  // namespace poplens::ui
