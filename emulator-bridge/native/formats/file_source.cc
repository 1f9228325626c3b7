#include "formats/file_source.hh"

#include "core/fail.hh"
#include "trace/text.hh"

namespace paceline::formats {

std::string_view FileSource::head() {
  if (looked_) return head_;
  looked_ = true;
  while (head_.size() < kHead) {
    const auto chunk = reader_.next();
    if (chunk.empty()) break;
    head_.append(chunk.data(), chunk.size());
  }
  return head_;
}

std::span<const char> FileSource::next() {
  if (!looked_ || head_given_) return given(reader_.next());
  head_given_ = true;
  return given(head_.empty() ? reader_.next() : std::span<const char>{head_});
}

void FileSource::rewind() {
  if (!again_)
    fail(TraceError{"unreadable", "this format is read twice, which standard input cannot be", "Give a file."});
  reader_ = open_();
  looked_ = false;
  head_given_ = false;
  head_.clear();
}

}  // namespace paceline::formats
