#include "manifest/json_text.hh"

#include "core/fail.hh"
#include "program/refusal.hh"

namespace paceline {
namespace {

using nlohmann::json;

// Reads only to learn what is wrong: the reader that keeps values says it by an exception or not at all.
class Fault final : public json::json_sax_t {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t, const std::string&, const json::exception& fault) override {
    what = fault.what();
    return false;
  }

  std::string what{};
};

}  // namespace

json json_of(std::string_view text, const std::string& where) {
  json value = json::parse(text, nullptr, false);
  if (!value.is_discarded()) return value;
  Fault fault;
  json::sax_parse(text, &fault);
  fail(Refusal{where, "is not JSON: " + fault.what});
}

}  // namespace paceline
