#include "drivers/realtime_tun/bpf_cca.hh"

#if PACELINE_HAS_LIBBPF

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/capability.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <stdexcept>
#include <system_error>

#include "drivers/realtime_tun/bpf_object_file.hh"
#include "drivers/realtime_tun/file_descriptor.hh"

namespace paceline {

namespace {

// Newer than the headers of some systems that have the kernel for it (Linux 6.4).
constexpr uint32_t kWithLink = 1U << 13;                             // BPF_F_LINK
constexpr auto kAttachStructOps = static_cast<bpf_attach_type>(44);  // BPF_STRUCT_OPS

// The last lines that libbpf or the kernel's verifier said, for the message when it fails.
std::string& last_words() {
  static std::string words;
  return words;
}

int listen_to_libbpf(libbpf_print_level level, const char* format, va_list arguments) {
  if (level == LIBBPF_DEBUG) return 0;
  std::array<char, 4096> line{};
  const int length = std::vsnprintf(line.data(), line.size(), format, arguments);
  constexpr std::size_t kKept = 1500;
  std::string& words = last_words();
  words += line.data();
  if (words.size() > kKept) words.erase(0, words.size() - kKept);
  return length;
}

[[noreturn]] void refuse_bpf(const std::string& path, const std::string& what, int reason) {
  std::string message = path + ": " + what + ": " + std::generic_category().message(reason);
  if (!last_words().empty()) message += "\n" + last_words();
  throw std::runtime_error{message};
}

bool has_capability(unsigned number) {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, 2> sets{};
  if (::syscall(SYS_capget, &header, sets.data()) != 0) return false;
  return (sets.at(number / 32).effective & (1U << (number % 32))) != 0;
}

// Not like any other run's: what the object is called, as far as there is room, and a random number. The dot keeps it out of
// lists of what the kernel has.
std::string unique_name(std::string_view base) {
  uint32_t number{};
  if (::getrandom(&number, sizeof number, 0) != sizeof number)
    throw std::system_error{errno, std::generic_category(), "getrandom"};
  std::array<char, 16> tail{};
  const int length = std::snprintf(tail.data(), tail.size(), ".%08x", number);
  return std::string{base.substr(0, BpfObjectFile::kLongestName - static_cast<std::size_t>(length))} + tail.data();
}

bpf_map* struct_ops_of(bpf_object* object) {
  bpf_map* map{};
  bpf_object__for_each_map(map, object) {
    if (bpf_map__type(map) == BPF_MAP_TYPE_STRUCT_OPS) return map;
  }
  return nullptr;
}

// Ties the registration to a descriptor: when the process goes, however it goes, so does the registration.
FileDescriptor register_map(bpf_map* map, const std::string& path) {
  bpf_link* attached = bpf_map__attach_struct_ops(map);
  if (!attached) refuse_bpf(path, "it cannot be registered", errno);
  // From libbpf 1.2 on that has made the link; before, it has only filled the map.
  const bool linked = libbpf_major_version() > 1 || libbpf_minor_version() >= 2;
  FileDescriptor fd{linked ? ::dup(bpf_link__fd(attached))
                           : bpf_link_create(bpf_map__fd(map), 0, kAttachStructOps, nullptr)};
  const int reason = errno;
  if (!linked) bpf_link__disconnect(attached);
  bpf_link__destroy(attached);
  if (!fd) refuse_bpf(path, "it cannot be registered", reason);
  return fd;
}

}  // namespace

struct BpfCca::Parts {
  std::unique_ptr<bpf_object, decltype(&bpf_object__close)> object{nullptr, &bpf_object__close};
  std::string name{};
  FileDescriptor link{};
};

BpfCca::BpfCca(const std::string& path, Until until) : parts_{std::make_unique<Parts>()} {
  if (const std::string obstacle = bpf_obstacle(); !obstacle.empty()) throw std::runtime_error{path + ": " + obstacle};
  BpfObjectFile file{path};
  file.rename(unique_name(file.name()));
  parts_->name = file.name();
  libbpf_set_print(listen_to_libbpf);
  last_words().clear();
  parts_->object.reset(bpf_object__open_mem(file.bytes().data(), file.bytes().size(), nullptr));
  if (!parts_->object) refuse_bpf(path, "libbpf does not take it", errno);
  bpf_map* map = struct_ops_of(parts_->object.get());
  if (!map) throw std::runtime_error{path + ": it holds no congestion control"};
  bpf_map__set_map_flags(map, bpf_map__map_flags(map) | kWithLink);
  if (bpf_object__load(parts_->object.get()) != 0) refuse_bpf(path, "the kernel does not take it", errno);
  if (until == Until::registered) parts_->link = register_map(map, path);
}

BpfCca::~BpfCca() = default;
BpfCca::BpfCca(BpfCca&&) noexcept = default;
BpfCca& BpfCca::operator=(BpfCca&&) noexcept = default;
std::string_view BpfCca::name() const { return parts_->name; }

std::string bpf_obstacle() {
  utsname system{};
  ::uname(&system);
  int major{};
  int minor{};
  if (std::sscanf(system.release, "%d.%d", &major, &minor) == 2 && (major < 6 || (major == 6 && minor < 4)))
    return std::string{"Linux "} + system.release +
           " would keep a registered congestion control after the program's end; it needs Linux 6.4";
  constexpr const char* kTypes = "/sys/kernel/btf/vmlinux";
  constexpr unsigned kPerfmon = 38;
  constexpr unsigned kBpf = 39;
  if (::access(kTypes, R_OK) != 0)
    return std::string{"this kernel tells nothing of its types ("} + kTypes +
           " is missing): it must be built with CONFIG_DEBUG_INFO_BTF";
  if (has_capability(CAP_SYS_ADMIN) || (has_capability(kBpf) && has_capability(kPerfmon))) return {};
  return "loading a congestion control into the kernel needs the capabilities BPF and PERFMON: run it as root (in a "
         "container with --cap-add BPF --cap-add PERFMON), or once: setcap cap_bpf,cap_perfmon+ep on paceline-tun and "
         "paceline-list";
}

}  // namespace paceline

#else

#include <stdexcept>

namespace paceline {

struct BpfCca::Parts {};

BpfCca::BpfCca(const std::string& path, Until /*until*/) { throw std::runtime_error{path + ": " + bpf_obstacle()}; }
BpfCca::~BpfCca() = default;
BpfCca::BpfCca(BpfCca&&) noexcept = default;
BpfCca& BpfCca::operator=(BpfCca&&) noexcept = default;
std::string_view BpfCca::name() const { return {}; }

std::string bpf_obstacle() { return "the programs were built without libbpf: install libbpf-dev, then npm run setup"; }

}  // namespace paceline

#endif
