#include <doctest/doctest.h>

#include <map>
#include <set>
#include <vector>

#include "core/random.hh"
#include "transport/scoreboard.hh"

using namespace paceline;

namespace {

enum class State { flying, lost, sacked };

}  // namespace

// Against a map from segment to state, with random sends, acknowledgements, losses and retransmissions.
TEST_CASE("counts and states equal those of a plain map, whatever happens") {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    Random random{seed, 0, "scoreboard"};
    Scoreboard board;
    std::map<uint64_t, State> model;
    uint64_t next = 0;
    for (int step = 0; step < 3000; ++step) {
      switch (random.below(6)) {
        case 0:
        case 1:
          board.append(Bytes{1500}, Time{step}, 0);
          model[next++] = State::flying;
          break;
        case 2: {
          if (model.empty()) break;
          const uint64_t until = model.begin()->first + random.below(3);
          std::set<uint64_t> expected;
          while (!model.empty() && model.begin()->first < until) {
            if (model.begin()->second != State::sacked) expected.insert(model.begin()->first);
            model.erase(model.begin());
          }
          std::set<uint64_t> told;
          board.acknowledge(until, [&](Segment&, uint64_t sequence) { told.insert(sequence); });
          REQUIRE(told == expected);
          break;
        }
        case 3: {
          if (model.empty()) break;
          const uint64_t begin = model.begin()->first + random.below(model.size() + 2);
          const SegmentRange range{begin, begin + random.below(20)};
          std::set<uint64_t> expected;
          for (auto& [sequence, state] : model)
            if (sequence >= range.begin && sequence < range.end && state != State::sacked) {
              expected.insert(sequence);
              state = State::sacked;
            }
          std::set<uint64_t> told;
          board.acknowledge(range, [&](Segment&, uint64_t sequence) { told.insert(sequence); });
          REQUIRE(told == expected);
          break;
        }
        case 4: {
          if (model.empty()) break;
          const uint64_t sequence = model.begin()->first + random.below(model.size());
          const auto found = model.find(sequence);
          if (found == model.end() || found->second != State::flying) break;
          board.declare_lost(sequence);
          found->second = State::lost;
          break;
        }
        default:
          if (!board.has_lost()) break;
          REQUIRE(model.at(board.first_lost()) == State::lost);
          model[board.first_lost()] = State::flying;
          board.retransmit(board.first_lost(), Time{step}, 0);
      }
      uint64_t flying = 0, lost = 0, sacked = 0, differ = 0;
      for (const auto& [sequence, state] : model) {
        flying += state == State::flying;
        lost += state == State::lost;
        sacked += state == State::sacked;
        differ += board[sequence].in_flight() != (state == State::flying);
      }
      REQUIRE(differ == 0);
      REQUIRE(board.inflight() == Bytes{1500 * static_cast<int64_t>(flying)});
      REQUIRE(board.inflight_packets() == flying);
      REQUIRE(board.lost() == lost);
      REQUIRE(board.sacked() == sacked);
      REQUIRE(board.has_lost() == (lost > 0));
      REQUIRE(board.next() == next);
    }
  }
}

TEST_CASE("an ACK that repeats what is known costs a step, not a walk") {
  Scoreboard board;
  for (int i = 0; i < 100'000; ++i) board.append(Bytes{1500}, Time{i}, 0);
  uint64_t told = 0;
  // A hundred thousand ACKs that each repeat a growing range: five thousand million steps if each walked it.
  for (uint64_t end = 2; end < 100'000; ++end)
    board.acknowledge(SegmentRange{1, end}, [&](Segment&, uint64_t) { ++told; });
  CHECK(told == 99'998);
}
