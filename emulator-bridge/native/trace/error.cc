#include "trace/error.hh"

#include <utility>

namespace paceline {

TraceError::TraceError(std::string code, std::string message, std::string hint, std::optional<Place> place)
    : std::runtime_error{place ? "line " + std::to_string(place->line) + ": " + message : message},
      code_{std::move(code)},
      message_{std::move(message)},
      hint_{std::move(hint)},
      place_{std::move(place)} {}

}  // namespace paceline
