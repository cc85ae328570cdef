#include "app/cli/command_line.h"

int main(int argc, char** argv) {
  return poplens::cli::run_command_line(argc, argv);
}
