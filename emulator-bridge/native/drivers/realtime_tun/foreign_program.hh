#pragma once
// A program that is not ours, at one end of a flow: made ready, held until it may begin, ended, and asked what it said.

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "drivers/realtime_tun/file_descriptor.hh"
#include "drivers/realtime_tun/kept_output.hh"
#include "drivers/realtime_tun/processor_waits.hh"

namespace paceline {

// Descriptors of this process that become the program's standard input and output.
struct Pipes {
  int in{};
  int out{};
};

struct ForeignProgramSetup {
  int network_fd{};
  std::vector<std::string> words{};
  std::vector<std::string> environment{};
  std::string folder{};          // to work in
  std::optional<Pipes> pipes{};  // without them it has no input, and its standard output is listened to
  std::string output{};          // what its streams are kept in: -stdout and -stderr of this name; empty: they are not
};

class ForeignProgram {
 public:
  // Makes it ready, but does not start it. Closes the pipes. Needs a single thread. Throws std::system_error.
  explicit ForeignProgram(const ForeignProgramSetup& setup);
  // Kills it and all that it has started.
  ~ForeignProgram();
  ForeignProgram(const ForeignProgram&) = delete;
  ForeignProgram& operator=(const ForeignProgram&) = delete;

  void start();
  // SIGTERM to all of it; whatever it then ends with is no failure.
  void terminate();
  void kill();

  // Its waits for a processor from now on, until it was last looked at.
  void begin_waits() { waits_.begin(process_); }
  void look_at_waits() {
    if (!ended()) waits_.look();
  }
  [[nodiscard]] std::optional<ProcessorWaits::Times> waits() const { return waits_.times(); }

  // Descriptors that can be read when there is something for attend() to do.
  void list(std::vector<int>& descriptors) const;
  // Takes what it has written; true when it has just ended.
  bool attend();

  [[nodiscard]] bool ended() const { return exit_code_.has_value(); }
  [[nodiscard]] int exit_code() const { return exit_code_.value_or(0); }
  [[nodiscard]] bool told_to_end() const { return told_to_end_; }
  [[nodiscard]] bool piped() const { return piped_; }
  // Its file name.
  [[nodiscard]] const std::string& name() const { return name_; }
  // The last of what it wrote, to standard error if anything.
  [[nodiscard]] std::string last_words() const;

 private:
  // What it writes to one of its streams.
  struct Output {
    FileDescriptor fd{};
    std::string tail{};
    KeptOutput kept{};
    void read();
  };

  std::string name_;
  bool piped_;
  Output out_{};
  Output err_{};
  FileDescriptor word_{};  // the other end of what holds it
  pid_t process_{};
  FileDescriptor process_fd_{};  // can be read when it has ended
  ProcessorWaits waits_{};
  bool told_to_end_{};
  std::optional<int> exit_code_{};
};

}  // namespace paceline
