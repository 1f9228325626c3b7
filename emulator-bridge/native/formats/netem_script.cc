#include "formats/netem_script.hh"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "formats/trace_file.hh"
#include "formats/writer.hh"
#include "trace/rates.hh"

namespace paceline {

namespace {

constexpr uint64_t kLeastStepMs = 10;  // tc itself takes a few milliseconds

constexpr std::string_view kLosses = R"(#
# What is lost in this form of the trace:
# - What happens within a step: bursts and pauses become one even rate.
# - Delivery opportunities. In the trace a packet leaves at the next opportunity after it came, and opportunities that
#   nobody uses are gone; netem decides when a packet will leave at the moment it comes, at the rate of that moment, and
#   keeps to that when the rate changes.
# - The exact moments: this script sets the rate when bash gets round to it, usually some milliseconds late, and the first
#   packet that comes within an outage may be held up to a step too long.
# A step without any opportunity is not a rate of 0, which netem takes for no limit: packets are held by a delay until the
# outage is over, as a cellular link holds them. ("loss 100%" would drop them; the smallest rate would keep the first one,
# and with it all behind it, for minutes.)
#
# Only what leaves through the interface is shaped; for the other direction run a script at the other end. netem drops what
# does not fit into --limit packets, and packets on their way through --delay-ms count.

set -euo pipefail
export LC_ALL=C

usage="Usage: $0 INTERFACE [--delay-ms N] [--limit PACKETS] [--once]"
interface='' delay_ms=0 limit=1000 once=0
refuse() {
  echo "$1" >&2
  exit 2
}
while (($# > 0)); do
  case $1 in
    --delay-ms | --limit)
      [[ ${2-} =~ ^[0-9]{1,7}$ ]] || refuse "$1 wants a whole number. $usage"
      if [[ $1 == --limit ]]; then limit=$2; else delay_ms=$2; fi
      shift 2
      ;;
    --once) once=1 && shift ;;
    -h | --help) echo "$usage" && exit 0 ;;
    -*) refuse "unknown option $1. $usage" ;;
    *)
      [[ -z $interface ]] || refuse "one interface at a time. $usage"
      interface=$1 && shift
      ;;
  esac
done
[[ -n $interface ]] || refuse "$usage"

)";

constexpr std::string_view kWork = R"(
# One of the steps, as the interface's root discipline. The handle is our own: nobody else's is taken away at the end.
apply() {
  local rate=$2 hold_ms=0
  if [[ $rate == +* ]]; then
    hold_ms=${rate%,*} rate=${rate#*,}
  fi
  tc qdisc "$1" dev "$interface" root handle 7ace: netem \
    rate "${rate}bit" delay "$((delay_ms + hold_ms))ms" limit "$limit"
}

waiting=''
clean_up() {
  [[ -z $waiting ]] || kill "$waiting" 2>/dev/null || true
  tc qdisc del dev "$interface" root handle 7ace: 2>/dev/null || true
}
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

apply add "${steps[0]}"
next_us=${EPOCHREALTIME/./}
set_already=1
while :; do
  for i in "${!steps[@]}"; do
    ((set_already)) || apply change "${steps[i]}"
    set_already=0
    if ((i + 1 < ${#steps[@]})); then length_ms=$step_ms; else length_ms=$last_step_ms; fi
    next_us=$((next_us + length_ms * 1000))
    wait_us=$((next_us - ${EPOCHREALTIME/./}))
    if ((wait_us > 0)); then
      printf -v wait_s '%d.%06d' $((wait_us / 1000000)) $((wait_us % 1000000))
      sleep "$wait_s" &
      waiting=$!
      wait "$waiting"
      waiting=''
    fi
  done
  ((once == 0)) || break
done
)";

// A name is only ever part of a comment.
std::string on_one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, ' ');
  return text;
}

struct ScriptStep {
  uint64_t bps{};
  uint64_t hold_ms{};  // nothing for so long from its beginning on, then `bps`
};

std::vector<ScriptStep> steps_of(std::span<const uint32_t> counts, uint64_t step_ms) {
  const uint64_t period_ms = counts.size() - 1;
  TraceRates rates{counts};
  std::vector<ScriptStep> steps;
  while (rates.at_ms() < period_ms) steps.push_back({rates.next(std::min(step_ms, period_ms - rates.at_ms()))});
  const uint64_t last_ms = period_ms - (steps.size() - 1) * step_ms;
  // Backwards and twice: the end of the trace goes on in its beginning.
  ScriptStep after{};
  for (std::size_t i = 2 * steps.size(); i-- > 0;) {
    ScriptStep& step = steps[i % steps.size()];
    if (step.bps > 0 && step.hold_ms == 0) {
      after = step;
    } else {
      after.hold_ms += &step == &steps.back() ? last_ms : step_ms;
      step = after;
    }
  }
  return steps;
}

}  // namespace

void write_netem_script(std::span<const uint32_t> counts, const NetemScript& about,
                        const std::function<void(std::string_view)>& sink) {
  constexpr std::size_t kPerLine = 8;
  const uint64_t step_ms = about.step_ms;
  if (step_ms < kLeastStepMs || step_ms > kLongestRateStepMs)
    throw std::invalid_argument{"the step of a netem script must be from " + std::to_string(kLeastStepMs) + " to " +
                                std::to_string(kLongestRateStepMs) + " ms"};
  const uint64_t period_ms = counts.size() - 1;
  const uint64_t packets = std::accumulate(counts.begin(), counts.end(), uint64_t{});
  const std::vector<ScriptStep> steps = steps_of(counts, step_ms);
  const uint64_t last_ms = period_ms - (steps.size() - 1) * step_ms;
  sink(
      "#!/usr/bin/env bash\n# Gives a network interface the capacity of a trace, with tc netem. Wants root.\n#\n# "
      "trace    " +
      on_one_line(about.name) + "\n# SHA-256  " + about.sha256 + "\n# length   " + std::to_string(period_ms) +
      " ms, then it begins again (--once: then it ends)\n# mean     " + std::to_string(packets * 12'000 / period_ms) +
      " kbit/s, IP headers included\n# step     " + std::to_string(step_ms) + " ms\n");
  sink(kLosses);
  sink("step_ms=" + std::to_string(step_ms) + " last_step_ms=" + std::to_string(last_ms) +
       "\n# bit/s of each step. +H,R: nothing for H ms more, then R.\nsteps=(");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::string word = i % kPerLine == 0 ? "\n  " : " ";
    if (steps[i].hold_ms > 0) word.append("+").append(std::to_string(steps[i].hold_ms)).append(",");
    sink(word.append(std::to_string(steps[i].bps)));
  }
  sink("\n)\n");
  sink(kWork);
}

namespace formats {

namespace {

const RegisterWriter register_netem_script{{
    .id = "netem",
    .summary = "a bash script that runs tc, every step",
    .step_ms = 100,
    .write =
        [](std::span<const uint32_t> counts, const Writing& writing,
           const std::function<void(std::string_view)>& sink) {
          write_netem_script(counts, {.name = writing.name, .sha256 = trace_sha256(counts), .step_ms = writing.step_ms},
                             sink);
        },
}};

}  // namespace

}  // namespace formats

}  // namespace paceline
