#include "drivers/realtime_tun/proc_file.hh"

#include <fcntl.h>
#include <unistd.h>

#include <array>

namespace paceline {

FileDescriptor open_net_table(const std::string& name) {
  return FileDescriptor{::open(("/proc/thread-self/net/" + name).c_str(), O_RDONLY | O_CLOEXEC)};
}

std::string text_of(const FileDescriptor& file) {
  std::string text;
  std::array<char, 8192> part{};
  for (ssize_t got = 0; (got = ::pread(file.get(), part.data(), part.size(), static_cast<off_t>(text.size()))) > 0;)
    text.append(part.data(), static_cast<std::size_t>(got));
  return text;
}

}  // namespace paceline
