// Keeps what C libraries print out of standard error.
#pragma once

#include <mutex>

namespace poplens {

// While one lives, standard error of the whole process goes nowhere; one lives at a time (the next waits). For calls
// into libraries that print about damaged files and cannot be told not to: libtiff and others through OpenCV, OpenCV itself.
class QuietStderr {
 public:
  QuietStderr();
  ~QuietStderr();
  QuietStderr(const QuietStderr&) = delete;
  QuietStderr& operator=(const QuietStderr&) = delete;

 private:
  std::unique_lock<std::mutex> turn_;
  int saved_ = -1;
};

}  // namespace poplens
