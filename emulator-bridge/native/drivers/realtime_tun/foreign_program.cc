#include "drivers/realtime_tun/foreign_program.hh"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

#include "drivers/realtime_tun/contained_process.hh"

namespace paceline {

namespace {

constexpr std::size_t kTail = 8192;

struct Pipe {
  FileDescriptor read{};
  FileDescriptor write{};
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error{errno, std::generic_category(), "pipe"};
  return {.read = FileDescriptor{ends[0]}, .write = FileDescriptor{ends[1]}};
}

// A socket, because writing to one whose reader is gone need not raise a signal.
Pipe make_hold() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw std::system_error{errno, std::generic_category(), "socketpair"};
  return {.read = FileDescriptor{ends[0]}, .write = FileDescriptor{ends[1]}};
}

void never_wait(const FileDescriptor& fd) { ::fcntl(fd.get(), F_SETFL, O_NONBLOCK); }

}  // namespace

ForeignProgram::ForeignProgram(const ForeignProgramSetup& setup)
    : name_{setup.words.front().substr(setup.words.front().rfind('/') + 1)}, piped_{setup.pipes.has_value()} {
  Pipe hold = make_hold();
  Pipe err = make_pipe();
  FileDescriptor in{};
  FileDescriptor out{};
  if (setup.pipes) {
    in = FileDescriptor{setup.pipes->in};
    out = FileDescriptor{setup.pipes->out};
  } else {
    in = FileDescriptor{::open("/dev/null", O_RDONLY | O_CLOEXEC)};
    Pipe kept = make_pipe();
    out = std::move(kept.write);
    out_.fd = std::move(kept.read);
    never_wait(out_.fd);
  }
  if (!setup.output.empty()) {
    out_.kept = KeptOutput{setup.output + "-stdout"};
    err_.kept = KeptOutput{setup.output + "-stderr"};
  }
  process_ = start_contained(setup.network_fd, setup.words,
                             Containment{.streams = {in.get(), out.get(), err.write.get()},
                                         .hold_fd = hold.read.get(),
                                         .environment = setup.environment,
                                         .folder = setup.folder});
  word_ = std::move(hold.write);
  err_.fd = std::move(err.read);
  never_wait(err_.fd);
  process_fd_ = FileDescriptor{static_cast<int>(::syscall(SYS_pidfd_open, process_, 0))};
  if (!process_fd_) {
    const int reason = errno;
    kill();
    (void)wait_for(process_);
    throw std::system_error{reason, std::generic_category(), "pidfd_open"};
  }
}

ForeignProgram::~ForeignProgram() {
  if (ended()) return;
  kill();
  (void)wait_for(process_);
  out_.read();
  err_.read();
}

void ForeignProgram::start() {
  constexpr char kGo = 'g';
  // It may be gone by now: its end tells.
  ::send(word_.get(), &kGo, 1, MSG_NOSIGNAL);
  word_.reset();
}

void ForeignProgram::terminate() {
  told_to_end_ = true;
  word_.reset();  // in case it still waits
  if (!ended()) ::kill(process_, SIGTERM);
}

void ForeignProgram::kill() {
  told_to_end_ = true;
  if (!ended()) ::kill(process_, SIGKILL);
}

void ForeignProgram::list(std::vector<int>& descriptors) const {
  if (ended()) return;
  descriptors.push_back(process_fd_.get());
  for (const Output* output : {&out_, &err_})
    if (output->fd) descriptors.push_back(output->fd.get());
}

bool ForeignProgram::attend() {
  if (ended()) return false;
  siginfo_t info{};
  const bool over =
      ::waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
  out_.read();
  err_.read();
  if (over) exit_code_ = wait_for(process_);
  return over;
}

std::string ForeignProgram::last_words() const {
  std::string words = err_.tail.empty() ? out_.tail : err_.tail;
  while (!words.empty() && (words.back() == '\n' || words.back() == ' ')) words.pop_back();
  return words;
}

void ForeignProgram::Output::read() {
  constexpr int kReadsAtOnce = 64;  // more than a pipe holds
  std::array<char, 4096> some{};
  for (int i = 0; i < kReadsAtOnce && fd; ++i) {
    const ssize_t got = ::read(fd.get(), some.data(), some.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) return fd.reset();
    const std::string_view text{some.data(), static_cast<std::size_t>(got)};
    kept.take(text);
    tail.append(text);
    if (tail.size() > kTail) tail.erase(0, tail.size() - kTail);
  }
}

}  // namespace paceline
