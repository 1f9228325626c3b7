#pragma once
// A run that stops at every decision of some of its flows, and goes on when it has an answer.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cca/agent.hh"
#include "drivers/virtual.hh"
#include "embed/fiber.hh"
#include "manifest/shelf.hh"

namespace paceline {

struct Decision {
  std::size_t flow{};
  std::span<const float> seen{};
  AgentPeriod period{};
  Rate capacity{};  // of the link, since the decision before
};

class Episode {
 public:
  // Throws what plan_of() throws, and Refusal when somebody cannot decide about one of these flows.
  Episode(std::string_view manifest, Shelf& shelf, std::span<const uint32_t> agents);
  ~Episode();

  // To the next decision, answered with `action` by the next call; null: the run is over. Throws what is wrong with the run.
  const Decision* next(double action);
  [[nodiscard]] bool over() const { return fiber_.over(); }
  // Somebody must decide.
  [[nodiscard]] bool waits() const { return fiber_.begun() && !over(); }
  // JSON; empty until it is over.
  [[nodiscard]] const std::string& summary() const { return summary_; }

 private:
  class Outside;
  struct Nobody;

  void run();

  std::unique_ptr<RunPlan> plan_;
  std::vector<std::unique_ptr<Outside>> agents_{};
  Decision decision_{};
  double action_{};
  std::string summary_{};
  Fiber fiber_;
};

}  // namespace paceline
