#pragma once
// What every loss-based window algorithm does besides its arithmetic: keeps a window of whole packets, follows loss recovery,
// lets the window fade after an idle time, and says in which phase it is.

#include <algorithm>
#include <cmath>

#include "cca/adjustable_window.hh"
#include "cca/window_growth.hh"
#include "cca/window_internals.hh"

namespace paceline {

template <class Interface = Controller>
class WindowController : public Interface {
 public:
  void on_sent(const SentPacket& packet) override { last_sent_ = packet.now; }
  void on_idle_restart(Time now) override {
    window_.restart_after_idle(now - last_sent_, idle_threshold(srtt_, rttvar_));
  }

  [[nodiscard]] Bytes cwnd() const override { return window_.cwnd_bytes(mss_); }
  [[nodiscard]] Bytes ssthresh() const override { return window_.ssthresh_bytes(mss_); }
  [[nodiscard]] std::string_view phase() const override { return kWindowStates[static_cast<std::size_t>(state())]; }

 protected:
  WindowController(const Setup& setup, const Params& params)
      : mss_{setup.mss}, window_{params.integer("init_cwnd"), setup.profile} {}

  // To be called first on every ACK.
  void follow(const AckEvent& ack) {
    srtt_ = ack.srtt;
    rttvar_ = ack.rttvar;
    recovering_ = ack.recovery == Recovery::entered || ack.recovery == Recovery::in;
  }

  // Slow start takes what it may of the acknowledged packets. True: nothing is left for congestion avoidance.
  [[nodiscard]] bool slow_start(int64_t& acked) {
    if (!window_.in_slow_start()) return false;
    acked = window_.slow_start(acked);
    return window_.in_slow_start() || acked == 0;
  }

  [[nodiscard]] WindowState state() const {
    return recovering_               ? WindowState::recovery
           : window_.in_slow_start() ? WindowState::slow_start
                                     : WindowState::avoidance;
  }
  [[nodiscard]] float ssthresh_packets() const {
    return if_known(window_.ssthresh != PacketWindow::kUnset, window_.ssthresh);
  }

  // State and ssthresh, then what the algorithm `C` has of its own.
  template <class C>
  [[nodiscard]] static Internals<C> window_internals(std::vector<Internal<C>> own) {
    return window_internals_with<C>([](const C& c) { return c.state(); },
                                    [](const C& c) { return c.ssthresh_packets(); }, std::move(own));
  }

  Bytes mss_{};
  PacketWindow window_;
  bool recovering_{};
  Time last_sent_{};
  Duration srtt_{};
  Duration rttvar_{};
};

// One on which others may stand.
class AdjustableWindowController : public WindowController<AdjustableWindow> {
 public:
  [[nodiscard]] int64_t window() const override { return window_.cwnd; }
  [[nodiscard]] bool in_slow_start() const override { return window_.in_slow_start(); }
  void set_window(int64_t packets) override { window_.cwnd = std::min(packets, kMostSetWindow); }
  void end_slow_start() override { window_.ssthresh = std::min(window_.ssthresh, window_.cwnd); }
  void add_growth(int64_t packets) override { window_.increase(window_.cwnd, packets); }

  [[nodiscard]] WindowState shown_state() const override { return state(); }
  [[nodiscard]] float shown_ssthresh() const override { return ssthresh_packets(); }

 protected:
  using WindowController::WindowController;
};

}  // namespace paceline
