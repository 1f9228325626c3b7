#include "drivers/realtime_tun/network_namespace.hh"

#include <fcntl.h>
#include <sched.h>

#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>

namespace paceline {

namespace {

[[noreturn]] void refuse_namespaces(const std::string& why) {
  throw std::runtime_error{
      "a network namespace of its own is not permitted here (" + why +
      "). Run it as root (in a container with --cap-add SYS_ADMIN --cap-add NET_ADMIN), or let users have namespaces: "
      "sysctl "
      "user.max_user_namespaces above 0, and where they exist kernel.unprivileged_userns_clone=1 and "
      "kernel.apparmor_restrict_unprivileged_userns=0"};
}

bool write_file(const char* path, const std::string& text) {
  std::ofstream file{path};
  file << text;
  return static_cast<bool>(file.flush());
}

// Everybody keeps the user they are; what counts are the capabilities that come with the namespace.
void enter_new_user_namespace() {
  const std::string uid = std::to_string(::geteuid());
  const std::string gid = std::to_string(::getegid());
  if (::unshare(CLONE_NEWUSER) != 0) refuse_namespaces("user namespace: " + std::generic_category().message(errno));
  if (!write_file("/proc/self/setgroups", "deny") || !write_file("/proc/self/uid_map", uid + " " + uid + " 1\n") ||
      !write_file("/proc/self/gid_map", gid + " " + gid + " 1\n"))
    refuse_namespaces("its user cannot be mapped");
}

}  // namespace

FileDescriptor enter_new_network() {
  if (::unshare(CLONE_NEWNET) != 0) {
    if (errno != EPERM) refuse_namespaces(std::generic_category().message(errno));
    enter_new_user_namespace();
    if (::unshare(CLONE_NEWNET) != 0) refuse_namespaces(std::generic_category().message(errno));
  }
  FileDescriptor fd{::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)};
  if (!fd) throw std::system_error{errno, std::generic_category(), "/proc/thread-self/ns/net"};
  write_sysctls();
  return fd;
}

}  // namespace paceline
