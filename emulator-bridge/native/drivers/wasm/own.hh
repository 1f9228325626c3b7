#pragma once
// Algorithms whose flows live with the host: what the host says of one becomes one of the registry's.

#include <string_view>

namespace paceline {

// `declaration`: JSON {id, label, needs, params, internals}, as emulator-bridge/protocol/own-algorithm.ts has them. Twice the same id is
// once. Whether a flow listens to a call is the host's to know.
void add_own(std::string_view declaration);
void forget_own();

}  // namespace paceline
