// A run's summary as JSON: what was not measured is null, what does not apply is left out.
#include <doctest/doctest.h>

#include "telemetry/descriptions.hh"

using namespace paceline;
using nlohmann::json;

TEST_CASE("A summary's JSON has every key, nulls for what is unknown, and leaves out what does not apply") {
  RunSummary s{.duration_s = 2, .base_rtt_ms = 40};
  s.links.push_back({.direction = Direction::reverse, .delivered_bytes = 9'007'199'254'740'991});
  s.senders.push_back({.flow = 1, .cca = "cubic", .sent_packets = UINT64_MAX, .timeouts = 0});
  s.receivers.push_back({.flow = 1, .messages = ReceivedMessages{.completed = 1, .percentiles_ms = {1.5}}});
  const json all = to_json(s);
  CHECK(all["lateness"].is_null());
  CHECK(all["fairness"] == json::array());
  CHECK(all["duration_s"].dump() == "2.0");
  const json& link = all["links"].at(0);
  CHECK(link["direction"] == "reverse");
  CHECK(link["delivered_bytes"].dump() == "9007199254740991");
  CHECK(link["utilisation"].is_null());
  CHECK(link["queueing_delay"] == json{{"count", 0},
                                       {"mean_ms", nullptr},
                                       {"p50_ms", nullptr},
                                       {"p95_ms", nullptr},
                                       {"p99_ms", nullptr},
                                       {"max_ms", nullptr}});
  CHECK_FALSE(link.contains("path"));
  const json& sender = all["senders"].at(0);
  CHECK(sender["sent_packets"] == UINT64_MAX);
  CHECK(sender["timeouts"] == 0);
  CHECK(sender["loss_episodes"].is_null());
  CHECK_FALSE(sender.contains("messages"));
  const json& messages = all["receivers"].at(0)["messages"];
  CHECK(messages["percentiles_ms"] == json{1.5});
  CHECK(messages["delay"]["count"] == 0);
}

TEST_CASE("The elements of a path and the lateness of writes are there when there is something to say of them") {
  RunSummary s{};
  s.links.push_back({.path = {{.element = "harq", .entered_packets = 3}}});
  s.lateness = LatenessSummary{.wakeups = 4};
  json all = to_json(s);
  CHECK(all["links"].at(0)["path"].at(0)["element"] == "harq");
  CHECK(all["lateness"]["wakeups"] == 4);
  CHECK_FALSE(all["lateness"].contains("writes"));
  s.lateness->writes = WriteLateness{.p99_us = 7};
  all = to_json(s);
  CHECK(all["lateness"]["writes"] == json{{"p50_us", 0.0}, {"p99_us", 7.0}, {"max_us", 0.0}});
}
