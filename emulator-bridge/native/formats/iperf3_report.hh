#pragma once
// iperf3's reports, of `--json` or `--json-stream`: read as a stream, up to the last whole interval where they were cut. The one reader of
// them: traces come of it (iperf3.cc), and what paceline-trace prints for measurements that are laid over runs.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "formats/source.hh"

namespace paceline::formats {

// One connection's part of an interval, or the sum of all. What the file does not say is left open.
struct Iperf3Span {
  std::optional<double> socket{};
  std::optional<double> start{};  // seconds
  std::optional<double> end{};
  std::optional<double> bytes{};
  std::optional<double> retransmits{};
  std::optional<double> snd_cwnd{};
  std::optional<double> rtt{};  // microseconds
  std::optional<double> lost_packets{};
  std::optional<bool> sender{};
  bool omitted{};
};

struct Iperf3Interval {
  bool of_server{};  // of the other end's report, which a client may have asked for (--get-server-output)
  bool has_streams{};
  std::vector<Iperf3Span> streams{};
  std::optional<Iperf3Span> sum{};
  std::optional<Iperf3Span> sum_reverse{};  // --bidir
};

struct Iperf3Report {
  bool whole{};  // false: the text broke off, or is no JSON
  bool is_object{};
  bool several{};  // something else that looks like a report comes after the first
  std::size_t broken_at{};
  bool has_start{};
  bool has_end{};
  bool server_told_text{};  // the other end's report is for people: there are no intervals in it
  std::optional<std::string> version{};
  std::optional<std::string> protocol{};
  std::optional<std::string> sender_cca{};
  std::optional<std::string> error{};
  std::optional<double> timesecs{};
  std::optional<double> tcp_mss{};
  std::optional<double> tcp_mss_default{};
  std::optional<double> blksize{};
  std::optional<double> reverse{};
  std::optional<double> bidir{};
};

// Calls `take` with each whole interval. Throws TraceError for what iperf3 never writes: depths, pieces and numbers of connections.
Iperf3Report read_iperf3_report(Source& source, const std::function<void(const Iperf3Interval&)>& take);

// The report as JSON (Iperf3Report of protocol/iperf3.ts): iperf3's own names, what is of use of it, and the other end's intervals beside. Throws
// TraceError where it is no report, holds several, or more intervals than a day's at iperf3's shortest.
[[nodiscard]] std::string iperf3_report_json(Source& source);

}  // namespace paceline::formats
