// What goes wrong with a run, in a sentence.

#include <cstring>
#include <exception>

#include "core/fail.hh"
#include "drivers/wasm/host.hh"

namespace paceline {

const char* const kNoMemory = "the run needs more memory than this engine may take";

void give_up(const std::exception& error, int exit_code) {
  paceline_host_fail(error.what(), std::strlen(error.what()), exit_code);
}

}  // namespace paceline
