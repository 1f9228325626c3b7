#pragma once
// Algorithms whose flows live with the host: what the host says of one becomes one of the registry's.

#include <string_view>

namespace paceline {

// `declaration`: JSON {id, label, needs, params, internals}, as emulator-bridge/protocol/own-algorithm.ts has them. Twice the same id is
// once. Whether a flow listens to a call is the host's to know.
void add_own(std::string_view declaration);
void forget_own();
// JSON {events: [...], acked, lost}: how the language has the fields of what is told, a letter each. Before the first run of one.
void set_own_layouts(std::string_view text);

}  // namespace paceline
