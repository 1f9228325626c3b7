#pragma once
// Packed streams, piece by piece. Files of both kinds may be put one after another.

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace paceline {

class Unpacker {
 public:
  virtual ~Unpacker() = default;
  // Takes from `in` (which is moved on) and fills `out`; how much of it. Throws TraceError when the file is damaged.
  virtual std::size_t unpack(std::span<const char>& in, std::span<char> out) = 0;
  // Could the file end here?
  [[nodiscard]] virtual bool whole() const = 0;
  [[nodiscard]] virtual std::string_view name() const = 0;
};

// For what begins so; empty: not packed.
[[nodiscard]] std::unique_ptr<Unpacker> unpacker_for(std::string_view head);

}  // namespace paceline
