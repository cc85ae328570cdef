#include "ui/engine/background_priority.h"

#include <algorithm>

#include <sys/resource.h>

namespace poplens::ui {

void lower_thread_priority() {
  // On Linux a nice value belongs to a thread, whatever POSIX says, and is handed on to the threads it starts.
  constexpr int kNicer = 5;
  constexpr int kNicest = 19;
  setpriority(PRIO_PROCESS, 0, std::min(kNicest, getpriority(PRIO_PROCESS, 0) + kNicer));
}

}  // namespace poplens::ui
