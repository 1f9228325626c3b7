#pragma once
// The CCAs of the running kernel's TCP, described like our own. Their ids are "kernel-" and the kernel's name.

#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cca/registry.hh"

namespace paceline {

// As /proc/sys/net/ipv4/tcp_available_congestion_control has them, sorted by id; none where there is no such file.
[[nodiscard]] std::span<const Descriptor* const> kernel_ccas();
// Null if this kernel does not have it.
[[nodiscard]] const Descriptor* find_kernel_cca(std::string_view id);
// "cubic" of "kernel-cubic".
[[nodiscard]] std::string_view kernel_name(const Descriptor& cca);
// "bbr, cubic, reno", for messages.
[[nodiscard]] std::string kernel_cca_names();

inline constexpr std::string_view kKernelPrefix = "kernel-";

// Does TCP_CC_INFO hold struct tcp_bbr_info?
[[nodiscard]] bool tells_bbr(const Descriptor& cca);

// A compiled algorithm that a run loads into the kernel for its time (see BpfCca). Its id is "kernel-bpf-" and the name.
struct BpfObject {
  std::string name{};  // lower-case letters, digits, '-' and '_'
  std::string path{};
};
// "Cubic · kernel (BPF)" of "cubic".
[[nodiscard]] std::string bpf_label(std::string name);
inline constexpr std::string_view kBpfPrefix = "kernel-bpf-";
// Makes these known beside what the kernel has, for the life of the process; before anything else is asked.
void add_bpf_objects(std::vector<BpfObject> objects);
// Null for algorithms that the kernel has by itself.
[[nodiscard]] const BpfObject* bpf_object_of(const Descriptor& cca);

// Descriptions for these names of algorithms, for kernel_ccas() and for tests.
class KernelCcaList {
 public:
  explicit KernelCcaList(std::vector<std::string> names, const std::vector<BpfObject>& objects = {});
  [[nodiscard]] std::span<const Descriptor* const> descriptors() const { return sorted_; }

 private:
  void describe(std::string name, const BpfObject* object, std::set<std::pair<int, std::string_view>>& taken);

  struct Entry {
    std::string name{};
    std::string id{};
    std::string label{};
    std::string summary{};
    std::string source{};
    Descriptor descriptor{};
  };
  std::vector<std::unique_ptr<Entry>> entries_{};
  std::vector<const Descriptor*> sorted_{};
};

}  // namespace paceline
