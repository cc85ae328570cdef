// From the program's arguments to its exit status: 0 done, 1 the work failed (one line on standard error), 2 wrong
// usage.
#pragma once

namespace poplens::cli {

int run_command_line(int argc, char** argv);

}  // namespace poplens::cli
