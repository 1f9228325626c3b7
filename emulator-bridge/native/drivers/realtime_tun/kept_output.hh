#pragma once
// What a program writes to one of its streams, kept in files as it comes, so that it is there however the run ends. In pieces, of which
// the first and the last two are left: it never takes more than three pieces.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "drivers/realtime_tun/file_descriptor.hh"

namespace paceline {

class KeptOutput {
 public:
  static constexpr std::size_t kPiece = 256 * 1024;

  // Piece i is the file `path`.i, made when there is something to write. An empty path: nothing is kept.
  explicit KeptOutput(std::string path = {}) : path_{std::move(path)} {}

  // A file that cannot be written ends what is kept; it is no reason for a run to fail.
  void take(std::string_view some);

 private:
  [[nodiscard]] bool begin_piece();

  std::string path_;
  FileDescriptor file_{};
  uint64_t pieces_{};
  std::size_t room_{};  // in the newest one
};

}  // namespace paceline
