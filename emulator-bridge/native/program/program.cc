#include "program/program.hh"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string>

#include "core/version.hh"
#include "program/refusal.hh"

namespace paceline {

int run_program(const Program& program, int argc, char** argv, const std::function<void()>& body) {
  const std::string name{program.name};
  for (int i = 1; i < argc; ++i) {
    const std::string_view word{argv[i]};
    if (word == "--help" || word == "-h") {
      std::fwrite(program.help.data(), 1, program.help.size(), stdout);
      return 0;
    }
    if (word == "--version") {
      std::printf("%s %s\n", name.c_str(), kEngineVersion);
      return 0;
    }
  }
  try {
    body();
    return 0;
  } catch (const Refusal& e) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), e.what());
    return e.exit_code();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), e.what());
    return kExitFailed;
  }
}

void end_with_parent() {
  const pid_t parent = ::getppid();
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::raise(SIGTERM);  // it ended just before
}

}  // namespace paceline
