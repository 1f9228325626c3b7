#pragma once
// Congestion controls that are loaded into the kernel for the time of a run: compiled struct_ops objects (BPF).

#include <memory>
#include <string>
#include <string_view>

namespace paceline {

// One such algorithm, registered under a name that nobody else has. Registration is global to the machine; it ends with this object, and
// with the process however that ends, as soon as the last socket that uses it is gone.
class BpfCca {
 public:
  enum class Until : uint8_t { loaded, registered };

  // Must be made outside of any user namespace of the run's. `loaded` goes only so far as the kernel's verifier does.
  // Throws std::runtime_error that says what is missing and how to give it.
  explicit BpfCca(const std::string& path, Until until = Until::registered);
  ~BpfCca();
  BpfCca(BpfCca&&) noexcept;
  BpfCca& operator=(BpfCca&&) noexcept;

  // What TCP_CONGESTION takes.
  [[nodiscard]] std::string_view name() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Why no object at all can be loaded here; empty when nothing stands in the way.
[[nodiscard]] std::string bpf_obstacle();

}  // namespace paceline
