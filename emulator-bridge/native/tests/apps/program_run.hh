#pragma once
// Runs one of the programs as people and the server do.

#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/repository.hh"

namespace paceline::testing {

struct ProgramRun {
  int code{};
  std::string out{};
  std::string err{};
};

inline ProgramRun run_program_file(const std::string& program, const std::string& arguments,
                                   const std::string& input = "") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("paceline-program-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::ofstream{folder / "in"} << input;
  const std::string command =
      program + " " + arguments + " < " + (folder / "in").string() + " 2> " + (folder / "err").string();
  std::FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  ProgramRun run{};
  std::array<char, 65536> buffer{};
  for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    run.out.append(buffer.data(), n);
  run.code = WEXITSTATUS(::pclose(pipe));
  std::ifstream err{folder / "err"};
  run.err.assign(std::istreambuf_iterator<char>{err}, {});
  fs::remove_all(folder);
  return run;
}

inline ProgramRun run_program(const std::string& name, const std::string& arguments, const std::string& input = "") {
  return run_program_file(programs_folder() + "/paceline-" + name, arguments, input);
}

// False, and said: this machine cannot run anything over TUN. Asked of the program alone, so that no other failure passes for that.
inline bool tun_possible() {
  static const ProgramRun trial = run_program("tun", "--check");
  if (trial.code != 0) MESSAGE("skipped: " << trial.err);
  return trial.code == 0;
}

}  // namespace paceline::testing
