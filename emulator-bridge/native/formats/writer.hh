#pragma once
// A form in which traces are written. Self-registering: a file in formats/ that defines one `const RegisterWriter` is all it takes to
// add one.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace paceline::formats {

// What a form may have to say beside the opportunities.
struct Writing {
  std::string name{};  // of the trace
  uint64_t step_ms{};  // of forms that have one
};

struct Writer {
  std::string_view id;       // as `--to` names it
  std::string_view summary;  // a few words
  uint64_t step_ms{};        // the usual one, of forms that have steps; 0: they have none
  // Throws std::invalid_argument when the form cannot say it.
  void (*write)(std::span<const uint32_t> counts, const Writing& writing,
                const std::function<void(std::string_view)>& sink);
};

// Sorted by id.
[[nodiscard]] std::span<const Writer* const> registered_writers();
// Null if unknown.
[[nodiscard]] const Writer* find_writer(std::string_view id);

class RegisterWriter {
 public:
  explicit RegisterWriter(Writer writer);

 private:
  std::unique_ptr<const Writer> writer_;
};

}  // namespace paceline::formats
