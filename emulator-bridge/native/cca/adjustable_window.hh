#pragma once
// A window algorithm on which another one may stand: the one above moves the window, the one below goes on growing and
// reducing it as it always does. Reminis, C2TCP and Orca are built this way.

#include <memory>
#include <stdexcept>
#include <string>

#include "cca/registry.hh"
#include "cca/window_internals.hh"
#include "core/fail.hh"

namespace paceline {

// No window is set beyond this many packets: 1.5 GB, more than TCP's largest window. An algorithm that multiplies a window which
// nothing uses (an application at a steady rate, a transport that lets it grow) would else leave the range of numbers.
inline constexpr int64_t kMostSetWindow = int64_t{1} << 20;

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
  [[nodiscard]] virtual WindowState shown_state() const = 0;
  [[nodiscard]] virtual float shown_ssthresh() const = 0;  // packets; NaN: none yet
};

// State and ssthresh of the window below, then what the algorithm `C` above it has of its own.
template <class C>
[[nodiscard]] Internals<C> internals_on_window(std::vector<Internal<C>> own) {
  return window_internals_with<C>([](const C& c) { return c.base().shown_state(); },
                                  [](const C& c) { return c.base().shown_ssthresh(); }, std::move(own));
}

// The registered algorithm `id` as something to stand on.
[[nodiscard]] inline std::unique_ptr<AdjustableWindow> make_base(std::string_view id, const Setup& setup,
                                                                 const Params::Given& given = {}) {
  const Descriptor* cca = find_cca(id);
  std::unique_ptr<Controller> controller = cca ? cca->make(setup, Params{cca->params, given}) : nullptr;
  auto* base = dynamic_cast<AdjustableWindow*>(controller.get());
  if (!base) fail(std::invalid_argument(std::string{id} + " is no window algorithm that another one can stand on"));
  static_cast<void>(controller.release());
  return std::unique_ptr<AdjustableWindow>{base};
}

// An algorithm that stands on the one its parameter `base` names: whatever it does not do itself, that one does.
class OnWindow : public Controller {
 public:
  void on_sent(const SentPacket& packet) override { base_->on_sent(packet); }
  void on_ack(const AckEvent& ack) override { base_->on_ack(ack); }
  void on_loss(const LossEvent& loss) override { base_->on_loss(loss); }
  void on_timeout(const TimeoutEvent& timeout) override { base_->on_timeout(timeout); }
  void on_idle_restart(Time now) override { base_->on_idle_restart(now); }
  [[nodiscard]] Bytes cwnd() const override { return base_->cwnd(); }
  [[nodiscard]] Bytes ssthresh() const override { return base_->ssthresh(); }
  [[nodiscard]] std::string_view phase() const override { return base_->phase(); }
  [[nodiscard]] const AdjustableWindow& base() const { return *base_; }

 protected:
  OnWindow(const Setup& setup, const Params& params)
      : base_{make_base(params.choice("base") == "cubic" ? "cubic" : "newreno", setup,
                        {{"pacing", std::string{params.choice("pacing")}}})} {}

  std::unique_ptr<AdjustableWindow> base_;
};

}  // namespace paceline
