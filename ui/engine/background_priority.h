// The window comes first: threads that calculate give way to it.
#pragma once

namespace poplens::ui {

// Lowers the calling thread's priority, and that of the threads that it starts from now on.
void lower_thread_priority();

}  // namespace poplens::ui
