#include "client/program_paths.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace baton {

namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// Absolute and without a trailing slash.
std::string absolute(const std::string& path) {
  std::error_code ignored;
  std::string result = std::filesystem::absolute(path, ignored).lexically_normal().string();
  if (result.size() > 1 && result.back() == '/') {
    result.pop_back();
  }
  return result;
}

}  // namespace

Result<std::string> sibling_program(std::string_view name) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) {
    return errno_status("/proc/self/exe", error.value());
  }
  const auto path = self.parent_path() / name;
  if (::access(path.c_str(), X_OK) != 0) {
    return errno_status(path.string(), errno);
  }
  return path.string();
}

std::string default_run_directory(const std::string& option) {
  if (!option.empty()) {
    return absolute(option);
  }
  if (const std::string named = environment("BATON_RUN_DIR"); !named.empty()) {
    return absolute(named);
  }
  if (::geteuid() == 0) {
    return "/run/baton";
  }
  if (const std::string runtime = environment("XDG_RUNTIME_DIR"); !runtime.empty()) {
    return runtime + "/baton";
  }
  return environment("HOME") + "/.baton/run";
}

}  // namespace baton
