#include "drivers/realtime_tun/kept_output.hh"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace paceline {

void KeptOutput::take(std::string_view some) {
  while (!some.empty() && !path_.empty()) {
    if (room_ == 0 && !begin_piece()) return path_.clear();
    const ssize_t written = ::write(file_.get(), some.data(), std::min(some.size(), room_));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return path_.clear();
    some.remove_prefix(static_cast<std::size_t>(written));
    room_ -= static_cast<std::size_t>(written);
  }
}

bool KeptOutput::begin_piece() {
  const auto file_of = [&](uint64_t piece) { return path_ + "." + std::to_string(piece); };
  if (pieces_ > 2) ::unlink(file_of(pieces_ - 2).c_str());
  // What is there already is not ours.
  constexpr mode_t kOwnersOnly = 0600;
  file_ = FileDescriptor{
      ::open(file_of(pieces_).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kOwnersOnly)};
  ++pieces_;
  room_ = kPiece;
  return static_cast<bool>(file_);
}

}  // namespace paceline
