#pragma once
// Network namespaces without a name and without a leftover: they live as long as something of this process's is in them.

#include "drivers/realtime_tun/file_descriptor.hh"

namespace paceline {

// Moves the calling process, which must have a single thread, into a new network namespace with the TCP settings of sysctls.cc;
// without the right to do so, into a new user namespace first. Returns what names it (for setns). Throws
// std::runtime_error that says what is missing and how to give it.
FileDescriptor enter_new_network();

// Writes the settings of the calling thread's network namespace.
void write_sysctls();
// TCP connections of the calling thread's network namespace ask for ECN, and accept it.
void use_ecn();
// Lets the calling thread's network namespace, which must be the run's own, pass packets on that are not for itself.
void forward_packets();

}  // namespace paceline
