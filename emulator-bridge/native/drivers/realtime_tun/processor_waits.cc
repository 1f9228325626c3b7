#include "drivers/realtime_tun/processor_waits.hh"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "drivers/realtime/clock.hh"

namespace paceline {

namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

// Each entry of a folder that is a number. Closes the descriptor.
template <typename Act>
void each_number(int fd, Act act) {
  if (fd < 0) return;
  const std::unique_ptr<DIR, CloseFolder> folder{::fdopendir(fd)};
  if (!folder) {
    ::close(fd);
    return;
  }
  while (const dirent* entry = ::readdir(folder.get())) {
    const int number = std::atoi(entry->d_name);
    if (number > 0) act(number);
  }
}

int open_in(int folder, const std::string& name, int flags) {
  return ::openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC | flags);
}

// The beginning of a file of the kernel's; empty where it cannot be read.
std::array<char, 160> text_of(int folder, const std::string& name) {
  std::array<char, 160> text{};
  const FileDescriptor file{open_in(folder, name, 0)};
  if (!file || ::read(file.get(), text.data(), text.size() - 1) < 0) text[0] = '\0';
  return text;
}

// Whether a thread runs or waits for a processor: its state stands behind its name, which may have parentheses of its own.
bool is_ready(const char* stat) {
  const char* name_end = std::strrchr(stat, ')');
  return name_end != nullptr && std::strncmp(name_end, ") R", 3) == 0;
}

}  // namespace

void ProcessorWaits::begin(pid_t init) {
  init_ = init;
  begun_ns_ = clock_ns(CLOCK_MONOTONIC);
  see(true);
}

void ProcessorWaits::look() {
  if (init_ == 0) return;
  const int64_t now = clock_ns(CLOCK_MONOTONIC);
  since_last_look_ns_ = now - begun_ns_ - times_.looked_ns;
  times_.looked_ns = now - begun_ns_;
  for (auto& [number, thread] : threads_) thread.ran_lately_ns = thread.waited_lately_ns = 0;
  see(false);
  int64_t ran = 0;
  for (const auto& [number, thread] : threads_) ran += thread.ran_lately_ns;
  // While one of its own has the processor it waits for itself; which processor that was is not known, so this never blames too much.
  constexpr int64_t kLongestWait = 1'000'000'000;
  for (auto& [number, thread] : threads_) {
    const int64_t owed = std::min(thread.owed_ns + ran - thread.ran_lately_ns, kLongestWait);
    const int64_t own = std::min(thread.waited_lately_ns, owed);
    thread.owed_ns = owed - own;
    thread.kept_waiting_ns += thread.waited_lately_ns - own;
    times_.waited_ns += thread.waited_lately_ns;
    times_.kept_waiting_ns = std::max(times_.kept_waiting_ns, thread.kept_waiting_ns);
  }
  times_.ran_ns += ran;
}

void ProcessorWaits::see(bool first) {
  if (!processes_) {
    // Its own /proc, which shows the processes of its namespace. Where it has none, or none yet, this is one in which we are, too.
    const std::string path = "/proc/" + std::to_string(init_) + "/root/proc";
    FileDescriptor processes{::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    std::array<char, 32> self{};
    if (!processes || ::readlinkat(processes.get(), "self", self.data(), self.size()) >= 0) return;
    processes_ = std::move(processes);
  }
  constexpr int kInit = 1;  // waits for the others
  each_number(open_in(processes_.get(), ".", O_DIRECTORY), [&](int process) {
    if (process == kInit) return;
    const FileDescriptor threads{open_in(processes_.get(), std::to_string(process) + "/task", O_DIRECTORY)};
    if (threads) see_threads(threads.get(), first);
  });
}

void ProcessorWaits::see_threads(int threads_fd, bool first) {
  each_number(open_in(threads_fd, ".", O_DIRECTORY), [&](int number) {
    const auto times = text_of(threads_fd, std::to_string(number) + "/schedstat");
    long long ran = 0;
    long long waited = 0;
    if (std::sscanf(times.data(), "%lld %lld", &ran, &waited) != 2) return;
    const bool ready = is_ready(text_of(threads_fd, std::to_string(number) + "/stat").data());
    Thread& thread = threads_[number];
    if (ran < thread.ran_ns || waited < thread.waited_ns) thread = {};  // another one has its number
    if (ran == thread.ran_ns && waited == thread.waited_ns) {
      if (ready && thread.ready) thread.waited_lately_ns = since_last_look_ns_;
      thread.counted_ns += thread.waited_lately_ns;
    } else {
      if (!first) {
        thread.ran_lately_ns = ran - thread.ran_ns;
        thread.waited_lately_ns = std::max<int64_t>(0, waited - thread.waited_ns - thread.counted_ns);
      }
      thread.counted_ns = 0;
    }
    thread.ran_ns = ran;
    thread.waited_ns = waited;
    thread.ready = ready;
  });
}

std::optional<ProcessorWaits::Times> ProcessorWaits::times() const {
  if (threads_.empty() || times_.looked_ns <= 0) return std::nullopt;
  return times_;
}

}  // namespace paceline
