#pragma once
// For tests that run whole flows: plans in one line, a sink that remembers, and a controller whose window never changes.

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cca/registry.hh"
#include "drivers/sink.hh"
#include "drivers/virtual.hh"
#include "metrics/columns.gen.hh"

namespace paceline::testing {

// A window of so many packets, whatever happens; unpaced unless a rate is given.
class FixedWindow final : public Controller {
 public:
  FixedWindow(Bytes cwnd, Rate pace) : cwnd_{cwnd}, pace_{pace} {}
  void on_ack(const AckEvent&) override {}
  [[nodiscard]] Bytes cwnd() const override { return cwnd_; }
  [[nodiscard]] Rate pacing_rate() const override { return pace_; }

 private:
  Bytes cwnd_;
  Rate pace_;
};

// Descriptors of such windows live as long as the program.
inline const Descriptor* fixed_window(int packets, Rate pace = Rate::zero()) {
  static std::vector<std::unique_ptr<Descriptor>> all;
  auto d = std::make_unique<Descriptor>();
  d->id = "fixed";
  d->needs = {.pacing = pace.bps > 0 ? Pacing::own : Pacing::none, .prr = false};
  d->make = [packets, pace](const Setup& s, const Params&) {
    return std::make_unique<FixedWindow>(s.mss * packets, pace);
  };
  all.push_back(std::move(d));
  return all.back().get();
}

inline const Descriptor* cca(const std::string& id) {
  const Descriptor* found = find_cca(id);
  if (!found) throw std::invalid_argument("no CCA " + id);
  return found;
}

// One direction with a constant rate (0: unlimited) and a droptail queue (limit 0: infinite).
inline LinkPlan constant_link(double mbps, Duration delay, Bytes limit = Bytes::zero()) {
  LinkPlan link{};
  link.capacity.kind = mbps > 0 ? Bottleneck::Capacity::Kind::constant : Bottleneck::Capacity::Kind::unlimited;
  link.capacity.rate = Rate::mbps(mbps);
  link.queue.discipline = find_queue(limit.v > 0 ? "droptail" : "infinite");
  if (limit.v > 0) link.queue.limit_bytes = limit;
  link.delay = delay;
  return link;
}

inline LinkPlan trace_link(std::vector<uint32_t> counts, Duration delay, Bytes limit = Bytes::zero(),
                           int64_t offset_ms = 0) {
  LinkPlan link = constant_link(0, delay, limit);
  link.capacity.kind = Bottleneck::Capacity::Kind::trace;
  link.capacity.trace = std::make_shared<const Trace>(std::move(counts));
  link.capacity.offset_ms = offset_ms;
  return link;
}

inline FlowPlan flow(const Descriptor* cca, int ack_every = 1, const Params::Given& params = {}) {
  return {.cca = cca, .params = Params{cca->params, params}, .ack_every = ack_every};
}

// One flow over `forward`; acknowledgements return unhindered, so that the base RTT is twice the forward delay.
inline RunPlan one_flow(LinkPlan forward, FlowPlan flow, double seconds) {
  RunPlan plan{};
  plan.duration = Duration::seconds(seconds);
  plan.reverse = constant_link(0, forward.delay);
  plan.forward = std::move(forward);
  plan.flows = {std::move(flow)};
  return plan;
}

// Remembers every row, event and ledger.
class Recorder final : public RunSink {
 public:
  struct Row {
    double time{};
    std::vector<float> values{};
  };

  void samples(uint16_t stream, Time time, std::span<const float> row) override {
    rows[stream].push_back({time.to_seconds(), {row.begin(), row.end()}});
  }
  void event(const RunEvent& e) override {
    events.push_back({e.time, e.flow, std::string{e.event}, std::string{e.detail}, e.value});
  }
  void ledger(const Ledger& l) override { ledgers.push_back(l); }

  struct Event {
    Time time{};
    int flow{};
    std::string event{};
    std::string detail{};
    double value{};
  };
  [[nodiscard]] std::vector<Event> events_named(const std::string& name) const {
    std::vector<Event> found;
    for (const Event& e : events)
      if (e.event == name) found.push_back(e);
    return found;
  }
  // One column of a sender (flow i) by name; the CCA's internals follow the fixed columns.
  [[nodiscard]] std::vector<float> sender_column(std::size_t flow, const std::string& name,
                                                 const Descriptor* cca = nullptr) const {
    std::size_t column = 0;
    while (column < telemetry::kSenderColumns.size() && telemetry::kSenderColumns[column].name != name) ++column;
    if (column == telemetry::kSenderColumns.size() && cca)
      for (std::size_t i = 0; i < cca->internals.size(); ++i)
        if (cca->internals[i].name == name) column += i;
    std::vector<float> values;
    for (const Row& row :
         rows.at(static_cast<uint16_t>(telemetry::kFirstSenderStream + telemetry::kStreamsPerFlow * flow)))
      values.push_back(row.values.at(column));
    return values;
  }

  std::map<uint16_t, std::vector<Row>> rows{};
  std::vector<Event> events{};
  std::vector<Ledger> ledgers{};
};

}  // namespace paceline::testing
