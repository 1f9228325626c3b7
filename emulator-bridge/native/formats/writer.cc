#include "formats/writer.hh"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace paceline::formats {

namespace {

// Function-local, so that it exists before the first RegisterWriter of any other file runs.
std::vector<const Writer*>& writer_table() {
  static std::vector<const Writer*> writers;
  return writers;
}

}  // namespace

std::span<const Writer* const> registered_writers() { return writer_table(); }

const Writer* find_writer(std::string_view id) {
  const auto found = std::ranges::find(writer_table(), id, &Writer::id);
  return found == writer_table().end() ? nullptr : *found;
}

RegisterWriter::RegisterWriter(Writer writer) : writer_{std::make_unique<const Writer>(writer)} {
  auto& writers = writer_table();
  const auto at = std::ranges::lower_bound(writers, writer_->id, {}, &Writer::id);
  if (at != writers.end() && (*at)->id == writer_->id) {
    // Before main(): nobody catches it, so the program ends and the runtime prints the sentence.
    throw std::logic_error("two files in formats/ write the form " + std::string{writer_->id} +
                           ": give one another id");
  }
  writers.insert(at, writer_.get());
}

}  // namespace paceline::formats
