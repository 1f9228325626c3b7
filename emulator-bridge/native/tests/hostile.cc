// paceline-hostile: thousands of random scenarios through every algorithm and variant (npm run hostile). Stops at the first fault
// with the command that repeats it.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "program/arguments.hh"
#include "program/program.hh"
#include "program/refusal.hh"
#include "tests/hostile/rough_path.hh"

#if defined(__SANITIZE_ADDRESS__)
extern "C" void __sanitizer_set_death_callback(void (*callback)());
#endif

namespace {

using namespace paceline;
using namespace paceline::testing;

constexpr std::string_view kHelp =
    R"(Usage: paceline-hostile [options]

Sends every algorithm, and every variant of it, through random hostile weather in virtual time, and looks after every step
for what must never be: windows and rates that are none, lost books, flows that are stuck once the weather is calm.

  --scenarios N       how many (default 1000); the algorithms and their variants take turns
  --seed S            of all of them (default 1)
  --first K           the first one's number (default 0)
  --ccas A,B          these algorithms only
  --all               do not stop at the first fault
  --verbose           a line for each scenario
  --help, --version

Exit codes: 0 nothing found, 1 a fault, 2 bad input.
)";

// What is under way, for whoever dies.
std::string g_repeat;    // the command
std::string g_scenario;  // in words

void tell_scenario() { std::fprintf(stderr, "\n%s\n  repeat: %s\n", g_scenario.c_str(), g_repeat.c_str()); }
void on_abort(int) {
  tell_scenario();
  std::_Exit(1);
}

std::vector<Subject> chosen_subjects(const Arguments& arguments) {
  std::vector<Subject> all = hostile_subjects();
  const auto names = arguments.value("--ccas");
  if (!names) return all;
  std::set<std::string> wanted;
  std::istringstream list{*names};
  for (std::string id; std::getline(list, id, ',');) wanted.insert(id);
  std::erase_if(all, [&](const Subject& s) { return !wanted.contains(std::string{s.cca->id}); });
  if (all.empty()) throw Refusal{"--ccas", "there is no algorithm " + *names};
  return all;
}

struct Tally {
  uint64_t scenarios{};
  uint64_t packets{};
  double silence_s{};
  double calm_share{};
};

void print(const std::map<std::string, Tally>& tallies, double seconds) {
  std::printf("%-34s%10s%16s%20s%18s\n", "algorithm, variant", "scenarios", "packets sent", "longest silence in",
              "mean use of the");
  std::printf("%-34s%10s%16s%20s%18s\n", "", "", "", "the calm, s", "calm link, %");
  Tally sum;
  for (const auto& [name, t] : tallies) {
    std::printf("%-34s%10llu%16llu%20.1f%18.0f\n", name.c_str(), static_cast<unsigned long long>(t.scenarios),
                static_cast<unsigned long long>(t.packets), t.silence_s,
                100 * t.calm_share / static_cast<double>(t.scenarios));
    sum.scenarios += t.scenarios;
    sum.packets += t.packets;
  }
  std::printf("\n%llu scenarios, %llu packets, %.0f s.\n", static_cast<unsigned long long>(sum.scenarios),
              static_cast<unsigned long long>(sum.packets), seconds);
}

void run(const Arguments& arguments) {
  const auto number = [&](const char* name, int64_t usual) {
    return arguments.value(name) ? arguments.whole(name, 0, INT64_MAX / 2) : usual;
  };
  const int64_t seed = number("--seed", 1);
  const int64_t first = number("--first", 0);
  const int64_t count = number("--scenarios", 1000);
  const std::vector<Subject> subjects = chosen_subjects(arguments);
  const auto began = std::chrono::steady_clock::now();
  std::map<std::string, Tally> tallies;
  uint64_t faults = 0;
  for (int64_t k = first; k < first + count; ++k) {
    const Subject& subject = subjects[static_cast<std::size_t>(k) % subjects.size()];
    const Scenario scenario = hostile_scenario(subject, static_cast<uint64_t>(seed), static_cast<uint64_t>(k));
    g_scenario = scenario.text;
    g_repeat = "npm run hostile -- --scenarios 1 --seed " + std::to_string(seed) + " --first " + std::to_string(k) +
               (arguments.value("--ccas") ? " --ccas " + *arguments.value("--ccas") : "");
    HostileRun result = run_hostile(scenario);
    if (result.fault.empty() && k % 16 == 0 && run_hostile(scenario).digest != result.digest)
      result.fault = "the same scenario went another way the second time";
    if (arguments.has("--verbose"))
      std::printf("%6lld  %5.1f s  %3.0f %%  %8llu  %s\n", static_cast<long long>(k), result.longest_silence_s,
                  100 * result.calm_share, static_cast<unsigned long long>(result.sent_packets), scenario.text.c_str());
    if (!result.fault.empty()) {
      tell_scenario();
      const std::string what = subject.name() + " " + result.fault;
      if (!arguments.has("--all")) throw std::runtime_error{what};
      std::fprintf(stderr, "  %s\n", what.c_str());
      ++faults;
    }
    Tally& tally = tallies[subject.name()];
    ++tally.scenarios;
    tally.packets += result.sent_packets;
    tally.silence_s = std::max(tally.silence_s, result.longest_silence_s);
    tally.calm_share += result.calm_share;
  }
  print(tallies, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  if (faults > 0) throw std::runtime_error{std::to_string(faults) + " scenarios went wrong"};
  std::printf("Nothing was wrong.\n");
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGABRT, on_abort);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_set_death_callback(tell_scenario);
#endif
  return run_program({"paceline-hostile", kHelp}, argc, argv, [&] {
    run(Arguments{argc, argv, {"--scenarios", "--seed", "--first", "--ccas"}, {"--all", "--verbose"}});
  });
}
