#pragma once
// Self-registering formats: a file in formats/ that defines one `const RegisterFormat` is all it takes to add one.
// (The folder is linked as an OBJECT library: a static one would drop files that nothing refers to.)

#include <memory>
#include <span>
#include <string_view>

#include "formats/format.hh"

namespace paceline::formats {

// In the order in which they are asked; the last one takes whatever the others do not.
[[nodiscard]] std::span<const Format* const> registered_formats();
[[nodiscard]] const Format& format_of(std::string_view head);
// Throws TraceError when there is none of that name.
[[nodiscard]] const Format& format_named(std::string_view id);

class RegisterFormat {
 public:
  explicit RegisterFormat(Format format);

 private:
  std::unique_ptr<const Format> format_;
};

}  // namespace paceline::formats
