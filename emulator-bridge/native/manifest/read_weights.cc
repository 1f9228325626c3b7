#include <fstream>
#include <iterator>

#include "manifest/weights_file.hh"
#include "program/refusal.hh"

namespace paceline {

std::string read_weights_file(const std::filesystem::path& file) {
  std::error_code fault;
  const auto size = std::filesystem::file_size(file, fault);
  if (!fault && size > kMostWeightsBytes)
    throw Refusal{file.string(),
                  "is larger than a weights file may be: " + std::to_string(kMostWeightsBytes >> 20U) + " MiB"};
  std::ifstream stream{file, std::ios::binary};
  if (fault || !stream) throw Refusal{file.string(), "cannot be read"};
  return {std::istreambuf_iterator<char>{stream}, {}};
}

}  // namespace paceline
