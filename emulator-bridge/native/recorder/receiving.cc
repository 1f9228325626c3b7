#include "recorder/receiving.hh"

#include <algorithm>

namespace paceline::recorder {

void Receiving::data(const Endpoint::Datagram& datagram) {
  const auto data = read<Data>(datagram.bytes);
  if (!data || data->session != session_ || data->sequence >= planned_ || log_.size() >= 2 * planned_) return;
  log_.push_back({.arrival_ns = datagram.arrived_ns, .sequence = data->sequence, .sent_ns = data->sent_ns});
  last_data_ns_ = datagram.arrived_ns;
}

void Receiving::end(const Endpoint::Datagram& datagram) {
  if (last_word_) return;
  last_word_ = read<End>(datagram.bytes);
  end_heard_ns_ = datagram.arrived_ns;
}

void Receiving::step(int64_t now_ns) {
  constexpr int64_t kEvery = 200'000'000;
  if (now_ns < next_ns_) return;
  endpoint_.send(from_, Alive{.session = session_});
  next_ns_ = now_ns + kEvery;
}

bool Receiving::over(int64_t now_ns) const {
  constexpr int64_t kQuiet = 300'000'000;
  return last_word_ && now_ns - std::max(end_heard_ns_, last_data_ns_) > kQuiet;
}

}  // namespace paceline::recorder
