#pragma once
// SHA-256 of a stream, as 64 lower-case hexadecimal digits.

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace paceline {

class Sha256 {
 public:
  Sha256();
  void update(std::string_view bytes);
  [[nodiscard]] std::string finish();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

}  // namespace paceline
