#include "ui/engine/background_priority.h"

#include <sys/resource.h>

namespace poplens::ui {

void lower_thread_priority() {
  // On Linux a nice value belongs to a thread, whatever POSIX says, and is handed on to the threads it starts.
  constexpr int kNice = 5;
  setpriority(PRIO_PROCESS, 0, kNice);
}

}  // namespace poplens::ui
