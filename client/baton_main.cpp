#include <variant>

#include "client/command_line.hpp"
#include "client/commands.hpp"

int main(int argc, char** argv) {
  const baton::CommandLine line = baton::parse_command_line(argc, argv);
  if (!line.command) {
    return line.exit_code;
  }
  return std::visit([](const auto& options) { return baton::run_command(options); }, *line.command);
}
