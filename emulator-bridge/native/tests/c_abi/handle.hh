#pragma once
// A controller behind the C interface, with an owner.

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "c_abi/paceline_cca.h"

namespace paceline::testing {

class Handle {
 public:
  explicit Handle(std::string_view id, const std::vector<paceline_cca_param>& params = {}) {
    const paceline_cca_environment environment{.now_ns = 0, .mss_bytes = 1500, .seed = 1};
    char error[256] = "";
    cca_.reset(
        paceline_cca_create(std::string{id}.c_str(), params.data(), params.size(), &environment, error, sizeof error));
    if (!cca_) throw std::invalid_argument{error};
  }

  [[nodiscard]] paceline_cca* get() const { return cca_.get(); }
  [[nodiscard]] paceline_cca_view look() const {
    paceline_cca_view view{};
    paceline_cca_look(cca_.get(), &view);
    return view;
  }
  [[nodiscard]] int64_t packets() const { return look().window_bytes / 1500; }

 private:
  struct Destroy {
    void operator()(paceline_cca* cca) const { paceline_cca_destroy(cca); }
  };
  std::unique_ptr<paceline_cca, Destroy> cca_;
};

}  // namespace paceline::testing
