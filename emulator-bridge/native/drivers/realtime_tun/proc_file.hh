#pragma once
// Tables of one network namespace under /proc/net: a file shows the namespace in which it was opened, wherever it is read.

#include <string>

#include "drivers/realtime_tun/file_descriptor.hh"

namespace paceline {

// /proc/net/<name> of the calling thread's network namespace; nothing where there is no such file.
[[nodiscard]] FileDescriptor open_net_table(const std::string& name);
// All of it, as it is now.
[[nodiscard]] std::string text_of(const FileDescriptor& file);

}  // namespace paceline
