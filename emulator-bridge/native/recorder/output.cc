#include "recorder/output.hh"

#include <array>
#include <cstdio>
#include <fstream>
#include <functional>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "core/version.hh"
#include "trace/text.hh"
#include "trace/write.hh"

namespace paceline::recorder {

using nlohmann::json;

namespace {

const char* name_of(Direction direction) { return direction == Direction::down ? "down" : "up"; }

void write_file(const std::string& path, const std::function<void(std::ostream&)>& content) {
  std::ofstream out{path, std::ios::binary | std::ios::trunc};
  if (out) content(out);
  out.close();
  if (!out) throw std::runtime_error{"cannot write " + path};
}

std::string line(const char* format, auto... values) {
  std::array<char, 256> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

}  // namespace

Files files_of(const std::string& name, Direction direction) {
  return {.log = name + ".csv",
          .ms_count = name + ".trace",
          .mahimahi = name + "." + name_of(direction),
          .report = name + ".json"};
}

json report_json(const Analysis& a, const Recording& recording, const std::vector<Flag>& flags, const Files& files) {
  const Conditions& c = recording.conditions;
  json list = json::array();
  for (const Flag& flag : flags) list.push_back({{"code", flag.code}, {"message", flag.sentence}});
  return {
      {"format", "paceline.recording"},
      {"program", kEngineVersion},
      {"direction", name_of(c.direction)},
      {"began_unix_ns", recording.began_unix_ns},
      {"packet_bytes", c.packet_bytes},
      {"asked_mbps", static_cast<double>(c.rate_bps) / 1e6},
      {"asked_s", c.duration.to_seconds()},
      {"duration_s", a.duration_s},
      {"mean_mbps", a.mean_mbps},
      {"p5_100ms_mbps", a.p5_mbps},
      {"p95_100ms_mbps", a.p95_mbps},
      {"sent_packets", a.sent},
      {"received_packets", a.received},
      {"duplicate_packets", a.copies},
      {"lost_packets", a.lost},
      {"loss_share", a.sent > 0 ? static_cast<double>(a.lost) / static_cast<double>(a.sent) : 0.0},
      {"longest_loss_burst", a.longest_loss},
      {"reordered_packets", a.reordered},
      {"queueing_delay_median_ms", a.queue_median_ms},
      {"queueing_delay_p95_ms", a.queue_p95_ms},
      {"windows_100ms", a.windows},
      {"source_limited_windows", a.source_limited_windows},
      {"sender_shortfall_share", c.sender ? json(a.shortfall) : json(nullptr)},
      {"sender_worst_behind_ms", c.sender ? json(static_cast<double>(c.sender->worst_behind_ns) / 1e6) : json(nullptr)},
      {"catch_up_bursts", a.bursts},
      {"longest_catch_up_burst", a.longest_burst},
      {"socket_drops", c.socket_drops},
      {"flags", list},
      {"files", {{"log", files.log}, {"trace", files.ms_count}, {"mahimahi", files.mahimahi}}},
  };
}

std::string report_text(const Analysis& a, const Recording& recording, const std::vector<Flag>& flags,
                        const Files& files) {
  const Conditions& c = recording.conditions;
  const double loss = a.sent > 0 ? 100 * static_cast<double>(a.lost) / static_cast<double>(a.sent) : 0.0;
  std::string text =
      line("%.1f s %s at %.4g Mbps: %.4g Mbps came on average, %.4g to %.4g in 90 %% of 100 ms.\n", a.duration_s,
           name_of(c.direction), static_cast<double>(c.rate_bps) / 1e6, a.mean_mbps, a.p5_mbps, a.p95_mbps) +
      line("%llu of %llu packets were lost (%.3g %%), at most %llu in a row; %llu were overtaken.\n",
           static_cast<unsigned long long>(a.lost), static_cast<unsigned long long>(a.sent), loss,
           static_cast<unsigned long long>(a.longest_loss), static_cast<unsigned long long>(a.reordered)) +
      line("They waited %.1f ms in queues (median; 95 %% of them less than %.1f ms).\n", a.queue_median_ms,
           a.queue_p95_ms);
  for (const Flag& flag : flags) text += "! " + flag.sentence + "\n";
  return text + "Trace: " + files.ms_count + ", for Mahimahi: " + files.mahimahi + "; log: " + files.log +
         "; report: " + files.report + "\n";
}

void write_files(const Files& files, const Recording& recording, const json& report) {
  std::vector<uint32_t> counts = trace_of_log(recording.log, recording.conditions.packet_bytes);
  write_file(files.log, [&](std::ostream& out) {
    const int64_t start = recording.log.front().arrival_ns;
    out << "arrival_ns,sequence,sent_ns\n";
    for (const Arrival& a : recording.log) out << a.arrival_ns - start << ',' << a.sequence << ',' << a.sent_ns << '\n';
  });
  const auto to = [](std::ostream& out) { return [&out](std::string_view text) { out << text; }; };
  write_file(files.ms_count, [&](std::ostream& out) {
    if (counts.size() - 1 < kAmbiguousTraceBelowMs) out << "# ms count\n";  // so short a file must say what it is
    write_ms_count(counts, to(out));
  });
  // Mahimahi's period is its last time stamp.
  while (counts.size() > 2 && counts.back() == 0) counts.pop_back();
  write_file(files.mahimahi, [&](std::ostream& out) { write_mahimahi(counts, to(out)); });
  write_file(files.report, [&](std::ostream& out) { out << report.dump(2) << '\n'; });
}

}  // namespace paceline::recorder
