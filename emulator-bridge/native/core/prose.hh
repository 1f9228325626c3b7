#pragma once
// Texts for people who choose. Descriptions of the engine have them; nothing that runs reads them.

#include <concepts>
#include <string_view>

namespace paceline {

class Prose {
 public:
  constexpr Prose() = default;
  // What it is made of must last.
  template <std::convertible_to<std::string_view> Text>
  constexpr Prose([[maybe_unused]] const Text& text) {
#ifndef PACELINE_WITHOUT_PROSE
    text_ = text;
#endif
  }
  [[nodiscard]] constexpr std::string_view view() const {
#ifdef PACELINE_WITHOUT_PROSE
    return {};
#else
    return text_;
#endif
  }

#ifndef PACELINE_WITHOUT_PROSE
 private:
  std::string_view text_{};
#endif
};

}  // namespace paceline
