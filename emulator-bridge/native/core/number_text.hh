#pragma once

#include <string>

namespace paceline {

// A number as people write it, for messages: "0.25", "1500", "1e+09". As std::to_chars gives it, whose tables would be more than a third
// of the engine as WebAssembly; of other than whole numbers at most 15 digits.
[[nodiscard]] std::string number_text(double value);

}  // namespace paceline
