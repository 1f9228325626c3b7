#pragma once

namespace paceline {

/// The product's version and a hash of the engine's sources, "0.1.0+0123456789ab" (cmake/engine_version.cmake writes it).
extern const char* const kEngineVersion;

}  // namespace paceline
