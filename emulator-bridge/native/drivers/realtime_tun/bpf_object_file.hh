#pragma once
// A compiled BPF object that holds one congestion control (struct_ops of type tcp_congestion_ops), as bytes whose name can be changed
// before they are loaded.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace paceline {

class BpfObjectFile {
 public:
  // Throws std::runtime_error that names the file and what is wrong with it.
  explicit BpfObjectFile(const std::string& path);

  // What the kernel would list it as.
  [[nodiscard]] std::string_view name() const { return name_; }
  // At most kLongestName characters: letters, digits, '_' and '.'.
  void rename(std::string_view name);
  [[nodiscard]] const std::vector<char>& bytes() const { return bytes_; }

  static constexpr std::size_t kLongestName = 15;  // TCP_CA_NAME_MAX with its end

 private:
  std::vector<char> bytes_{};
  std::size_t name_at_{};
  std::string name_{};
};

}  // namespace paceline
