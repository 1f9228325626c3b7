#include "drivers/realtime_tun/contained_process.hh"

#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace paceline {

namespace {

int exit_code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : kExitSignal + WTERMSIG(status); }

// In a user namespace an ordinary user loses the capabilities over it when a program is started. With them, which are worth nothing
// outside, a shell can be started within a shell.
void keep_capabilities() {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, 2> sets{};
  if (::syscall(SYS_capget, &header, sets.data()) != 0) return;
  constexpr std::array<unsigned, 3> kept{CAP_NET_ADMIN, CAP_NET_RAW, CAP_SYS_ADMIN};
  for (const unsigned capability : kept) sets[0].inheritable |= sets[0].permitted & (1U << capability);
  if (::syscall(SYS_capset, &header, sets.data()) != 0) return;
  for (const unsigned capability : kept) ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0);
}

[[noreturn]] void execute(const std::vector<std::string>& words) {
  for (const int signal : {SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGCHLD}) ::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  keep_capabilities();
  std::vector<std::string> copies = words;
  std::vector<char*> arguments;
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  const int reason = errno;
  std::fprintf(stderr, "%s cannot be started: %s\n", words[0].c_str(), std::strerror(reason));
  ::_exit(reason == ENOENT ? kExitNotFound : kExitNotRun);
}

void pass_on_termination(int) { ::kill(-1, SIGTERM); }  // to all of the namespace but this process

// Its streams in their places, `starter` behind them, and nothing else of what this process has open. Where `starter` is then.
int take_streams(const Containment& containment, int starter) {
  constexpr int kOutOfTheWay = 64;
  constexpr int kHold = 3;
  constexpr int kStarter = 4;
  std::array<int, 4> wanted{containment.streams[0], containment.streams[1], containment.streams[2],
                            containment.hold_fd};
  for (int& fd : wanted) {
    fd = ::fcntl(fd, F_DUPFD, kOutOfTheWay);
    if (fd < 0) ::_exit(kExitNotRun);
  }
  const int behind = starter < 0 ? -1 : ::fcntl(starter, F_DUPFD, kOutOfTheWay);
  for (int to = 0; to <= kHold; ++to) ::dup2(wanted[static_cast<std::size_t>(to)], to);
  const bool known = behind >= 0 && ::dup3(behind, kStarter, O_CLOEXEC) == kStarter;
  if (::syscall(SYS_close_range, known ? kStarter + 1 : kStarter, ~0U, 0) != 0) ::_exit(kExitNotRun);
  char go{};
  // Its end: whoever would have given the word has thought better of it, or is gone.
  if (::read(kHold, &go, 1) != 1) ::_exit(0);
  ::close(kHold);
  for (const std::string& variable : containment.environment) ::putenv(const_cast<char*>(variable.c_str()));
  if (!containment.folder.empty() && ::chdir(containment.folder.c_str()) != 0) {
    std::perror(containment.folder.c_str());
    ::_exit(kExitNotRun);
  }
  return known ? kStarter : -1;
}

// Collects what ends, until that is the program, or whoever started it is gone: a death before PR_SET_PDEATHSIG gives no signal.
[[noreturn]] void wait_out(pid_t program, int starter, sigset_t awake) {
  ::sigdelset(&awake, SIGCHLD);
  for (;;) {
    int status = 0;
    pid_t ended = 0;
    while ((ended = ::waitpid(-1, &status, WNOHANG)) > 0)
      if (ended == program) ::_exit(exit_code_of(status));
    if (ended < 0) ::_exit(kExitNotRun);
    pollfd gone{.fd = starter, .events = POLLIN, .revents = 0};
    if (::ppoll(&gone, 1, nullptr, &awake) > 0) ::_exit(kExitNotRun);
  }
}

// The first process of its namespace: the kernel ends all others there with it.
[[noreturn]] void be_init(int network_fd, const std::vector<std::string>& words,
                          const std::optional<Containment>& containment, int starter) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Programs that look at processes see their own only; where that is not permitted they see those outside, and run all the same.
  ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
  ::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr);
  if (::setns(network_fd, CLONE_NEWNET) != 0) {
    std::perror("setns");
    ::_exit(kExitNotRun);
  }
  for (const int signal : {SIGINT, SIGQUIT}) ::signal(signal, SIG_IGN);  // they are for the program
  // Without SA_RESTART: a program that is still held is not started any more.
  struct sigaction termination {};
  termination.sa_handler = pass_on_termination;
  ::sigaction(SIGTERM, &termination, nullptr);
  if (containment) starter = take_streams(*containment, starter);
  // Looked at between two waits only, so that none is missed.
  struct sigaction end_of_child {};
  end_of_child.sa_handler = [](int) {};
  ::sigaction(SIGCHLD, &end_of_child, nullptr);
  sigset_t child;
  sigset_t before;
  ::sigemptyset(&child);
  ::sigaddset(&child, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &child, &before);
  const pid_t program = ::fork();
  if (program < 0) ::_exit(kExitNotRun);
  if (program == 0) execute(words);
  wait_out(program, starter, before);
}

}  // namespace

pid_t start_contained(int network_fd, const std::vector<std::string>& words,
                      const std::optional<Containment>& containment) {
  std::fflush(nullptr);
  // Says when this process is gone; where the kernel gives none, its signal has to do.
  const int self = static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0));
  // As fork, with new namespaces for the child.
  constexpr unsigned long kFlags = CLONE_NEWPID | CLONE_NEWNS | SIGCHLD;
  const long child = ::syscall(SYS_clone, kFlags, nullptr, nullptr, nullptr, nullptr);
  if (child == 0) be_init(network_fd, words, containment, self);
  const int reason = errno;
  if (self >= 0) ::close(self);
  errno = reason;
  if (child < 0) throw std::system_error{errno, std::generic_category(), "a process namespace"};
  return static_cast<pid_t>(child);
}

int wait_for(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) throw std::system_error{errno, std::generic_category(), "waitpid"};
  }
  return exit_code_of(status);
}

}  // namespace paceline
