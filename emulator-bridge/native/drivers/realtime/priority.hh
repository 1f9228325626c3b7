#pragma once
// Asks the system to run the calling thread before others. What is not permitted is left out: the run then is as good
// as the machine is idle, and says how late it was.

namespace paceline {

enum class Role { emulator, receiver, sender };

void raise_priority(Role role);

// While it lives, threads that the calling thread starts run at once, on a busy machine too: they begin before others, and then ask for
// what is theirs. Afterwards the calling thread is an ordinary one.
class PromptThreads {
 public:
  PromptThreads();
  ~PromptThreads();
  PromptThreads(const PromptThreads&) = delete;
  PromptThreads& operator=(const PromptThreads&) = delete;
};

}  // namespace paceline
