// What nobody measured reads "unknown" in the telemetry, never zero.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "cca/controller.hh"
#include "metrics/columns.gen.hh"

using namespace paceline;

namespace {

// Tells the first of its internals only.
class Reticent final : public Controller {
 public:
  void on_ack(const AckEvent&) override {}
  [[nodiscard]] Bytes cwnd() const override { return kMtu; }
  void internals(std::span<float> out) const override { out[0] = 7; }
};

}  // namespace

TEST_CASE("a column that nobody fills is unknown") {
  const telemetry::LinkRow link{.capacity_mbps = 3};
  CHECK(link.capacity_mbps == 3);
  CHECK(std::isnan(link.queue_bytes));
  CHECK(std::isnan(link.marked_packets));
  CHECK(std::isnan(telemetry::SenderRow{}.lost_packets));
  CHECK(std::isnan(telemetry::ReceiverRow{}.owd_mean_ms));
}

TEST_CASE("an internal that the algorithm leaves out is unknown, whatever stood there before") {
  std::vector<float> row{1, 2, 3};
  tell_internals(Reticent{}, row);
  CHECK(row[0] == 7);
  CHECK(std::isnan(row[1]));
  CHECK(std::isnan(row[2]));
}
