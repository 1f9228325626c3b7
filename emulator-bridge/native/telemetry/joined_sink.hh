#pragma once
// Lets several background threads write to one sink: each has a lane of its own, and the rows of a moment are complete when all
// lanes have them.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "drivers/sink.hh"

namespace paceline {

class JoinedSink {
 public:
  JoinedSink(RunSink& target, std::size_t lanes) : target_{target} {
    for (std::size_t i = 0; i < lanes; ++i) lanes_.push_back(std::make_unique<Lane>(*this));
  }

  // For one thread.
  [[nodiscard]] RunSink& lane(std::size_t i) { return *lanes_[i]; }

 private:
  class Lane final : public RunSink {
   public:
    explicit Lane(JoinedSink& all) : all_{all} {}
    void samples(uint16_t stream, Time time, std::span<const float> row) override {
      const std::lock_guard lock{all_.mutex_};
      all_.target_.samples(stream, time, row);
    }
    void samples_complete(Time now) override {
      const std::lock_guard lock{all_.mutex_};
      complete_ = now;
      all_.advance();
    }
    void event(const RunEvent& event) override {
      const std::lock_guard lock{all_.mutex_};
      all_.target_.event(event);
    }

   private:
    friend class JoinedSink;
    JoinedSink& all_;
    Time complete_{};
  };

  void advance() {
    Time slowest = Time::never();
    for (const auto& lane : lanes_) slowest = std::min(slowest, lane->complete_);
    if (slowest <= complete_) return;
    complete_ = slowest;
    target_.samples_complete(slowest);
  }

  RunSink& target_;
  std::mutex mutex_{};
  std::vector<std::unique_ptr<Lane>> lanes_{};
  Time complete_{};
};

}  // namespace paceline
