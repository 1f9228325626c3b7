#pragma once
// A window algorithm on which another one may stand: the one above moves the window, the one below goes on growing and
// reducing it as it always does. Reminis, C2TCP and Orca are built this way.

#include <memory>
#include <stdexcept>
#include <string>

#include "cca/registry.hh"

namespace paceline {

class AdjustableWindow : public Controller {
 public:
  [[nodiscard]] virtual int64_t window() const = 0;  // packets
  [[nodiscard]] virtual bool in_slow_start() const = 0;
  virtual void set_window(int64_t packets) = 0;
  virtual void end_slow_start() = 0;  // ssthresh becomes the window, where it is larger
  // As much growth as `packets` acknowledged packets earn in additive increase: one packet per window of them.
  virtual void add_growth(int64_t packets) = 0;
  // What a loss would do to ssthresh and to the memory of the window, and then slow start from one packet.
  virtual void cut_to_one() = 0;
};

// The registered algorithm `id` as something to stand on.
[[nodiscard]] inline std::unique_ptr<AdjustableWindow> make_base(std::string_view id, const Setup& setup,
                                                                 const Params::Given& given = {}) {
  const Descriptor* cca = find_cca(id);
  std::unique_ptr<Controller> controller = cca ? cca->make(setup, Params{cca->params, given}) : nullptr;
  auto* base = dynamic_cast<AdjustableWindow*>(controller.get());
  if (!base) throw std::invalid_argument(std::string{id} + " is no window algorithm that another one can stand on");
  static_cast<void>(controller.release());
  return std::unique_ptr<AdjustableWindow>{base};
}

}  // namespace paceline
