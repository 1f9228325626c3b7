#pragma once
// Asks the system to run the calling thread before others. What is not permitted is left out: the run then is as good
// as the machine is idle, and says how late it was.

namespace paceline {

enum class Role { emulator, receiver, sender };

void raise_priority(Role role);

}  // namespace paceline
