#pragma once
// A scalable flow for tests, as DCTCP is (RFC 8257 section 3.3): one packet more per round trip, and once per round trip less by half of
// the share of packets that came back marked. `reacts` false: it claims to understand marks and ignores them.

#include <algorithm>
#include <memory>

#include "tests/simulation.hh"

namespace paceline::testing {

class Scalable final : public Controller {
 public:
  explicit Scalable(bool reacts) : reacts_{reacts} {}

  void on_ack(const AckEvent& ack) override {
    acked_ += ack.acked_packets;
    marked_ += ack.ce_packets;
    if (!reacts_) return;
    if (ack.ce_packets > 0) starting_ = false;
    cwnd_ += starting_ ? ack.acked_packets : ack.acked_packets / cwnd_;
    if (ack.newest_number < round_end_) return;
    round_end_ = ack.next_number;
    const double share = acked_ > 0 ? std::min(1.0, marked_ / acked_) : 0;
    alpha_ += (share - alpha_) / 16;
    if (marked_ > 0) cwnd_ = std::max(2.0, cwnd_ * (1 - alpha_ / 2));
    acked_ = marked_ = 0;
  }
  void on_loss(const LossEvent& loss) override {
    if (reacts_ && loss.new_episode) cwnd_ = std::max(2.0, cwnd_ / 2);
  }
  [[nodiscard]] Bytes cwnd() const override { return Bytes::packets(cwnd_, kMtu); }
  [[nodiscard]] Bytes ssthresh() const override { return starting_ ? Bytes::infinite() : cwnd(); }
  void internals(std::span<float> out) const override { out[0] = static_cast<float>(alpha_); }

 private:
  bool reacts_;
  bool starting_{true};
  double cwnd_{10};
  double alpha_{1};
  double acked_{};
  double marked_{};
  uint64_t round_end_{};
};

inline const Descriptor* scalable() {
  static const auto made = [] {
    auto d = std::make_unique<Descriptor>();
    d->id = "scalable";
    d->needs = {.pacing = Pacing::window, .prr = false, .ecn = Ecn::l4s};
    d->internals = {{.name = "alpha", .label = "alpha", .unit = ""}};
    d->make = [](const Setup&, const Params&) { return std::make_unique<Scalable>(true); };
    return d;
  }();
  return made.get();
}

// Sends at a rate whatever comes back.
inline const Descriptor* deaf(double mbps) {
  static std::vector<std::unique_ptr<Descriptor>> all;
  auto d = std::make_unique<Descriptor>(*fixed_window(100'000, Rate::mbps(mbps)));
  d->needs.ecn = Ecn::l4s;
  all.push_back(std::move(d));
  return all.back().get();
}

}  // namespace paceline::testing
