#pragma once
// Which station serves: the strongest over the last 200 ms, with hysteresis; every change interrupts.

#include <cstdint>
#include <span>
#include <vector>

#include "channel/portable_math.hh"

namespace paceline {

struct CellSelection {
  double hysteresis_db{3};
  double least_dwell_ms{200};
  double shortest_cut_ms{20};
  double longest_cut_ms{40};
};

class CellSelectionProcess {
 public:
  static constexpr double kTickMs = 25;

  CellSelectionProcess(const CellSelection& model, std::size_t cells, uint64_t seed)
      : model_{model}, draws_{seed, 0, "handover"}, recent_(cells) {}

  [[nodiscard]] std::size_t serving() const { return serving_; }

  // Takes each cell's mean SNR of the last tick; returns how long the handover that begins now lasts, in ms (0: none).
  double tick(std::span<const double> snr_db) {
    dwell_ms_ += kTickMs;
    std::size_t best = serving_;
    for (std::size_t cell = 0; cell < recent_.size(); ++cell) {
      recent_[cell].add(snr_db[cell]);
      if (recent_[cell].mean() > recent_[best].mean()) best = cell;
    }
    if (!begun_) {  // the strongest one from the start
      begun_ = true;
      serving_ = best;
      return 0;
    }
    if (best == serving_ || dwell_ms_ < model_.least_dwell_ms ||
        recent_[best].mean() <= recent_[serving_].mean() + model_.hysteresis_db)
      return 0;
    serving_ = best;
    dwell_ms_ = 0;
    return draws_.uniform(model_.shortest_cut_ms, model_.longest_cut_ms);
  }

 private:
  class Mean {
   public:
    void add(double value) {
      if (values_.size() < kTicks) values_.push_back(value);
      values_[next_] = value;
      next_ = (next_ + 1) % kTicks;
    }
    [[nodiscard]] double mean() const {
      double sum = 0;
      for (const double value : values_) sum += value;
      return values_.empty() ? -1e9 : sum / static_cast<double>(values_.size());
    }

   private:
    static constexpr std::size_t kTicks = 8;
    std::vector<double> values_{};
    std::size_t next_{};
  };

  CellSelection model_;
  Draws draws_;
  std::vector<Mean> recent_;
  std::size_t serving_{};
  double dwell_ms_{};
  bool begun_{};
};

}  // namespace paceline
