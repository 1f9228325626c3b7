#pragma once
// Self-registering CCAs: a file in cca/ that defines one `const RegisterCca` is all it takes to add an algorithm.
// (The folder is linked as an OBJECT library: a static one would drop files that nothing refers to.)

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "cca/controller.hh"
#include "cca/internals.hh"
#include "core/params.hh"

namespace paceline {

enum class Pacing : uint8_t {
  window,  // transport derives the pace from cwnd / srtt (docs/reference.md 1.5)
  own,     // Controller::pacing_rate()
  none,    // bursts as the window opens
};
// Packets that can be marked instead of dropped; the marks come back as AckEvent::ce_packets.
enum class Ecn : uint8_t { none, classic, l4s };

// What the algorithm needs from the transport (docs/reference.md 12.1). Ask only for what is used: some of it costs time per packet.
struct Needs {
  Pacing pacing{Pacing::window};
  bool paced_start{};          // pace from the first packet on; Linux leaves the first ten unpaced
  bool prr{true};              // proportional rate reduction during recovery (window algorithms)
  bool acked_packets{};        // AckEvent::packets
  bool receiver_timestamps{};  // AckedPacket::one_way
  bool channel_state{};        // on_channel every millisecond
  Duration channel_window{Duration::millis(5)};
  Ecn ecn{Ecn::none};
};

enum class Kind : uint8_t {
  sender,  // a real algorithm
  oracle,  // a reference sender that is told the channel's state
  ideal,   // not a sender: computed from the trace alone (utilisation 1 at base RTT)
  kernel,  // of the operating system's TCP; not in the registry, since it depends on the machine
  foreign  // of a program that is not ours; not in the registry either
};

// The identity a CCA keeps in every figure: colour slot, marker, solid or dashed.
struct Identity {
  int slot{};                 // below kLookSlots
  std::string_view marker{};  // of kLookMarkers; empty: none declared, the registry gives the first look that is free
  bool hollow{};              // hollow marker and dashed line: the slot's second use
};
inline constexpr int kLookSlots = 8;
inline constexpr std::array<std::string_view, 8> kLookMarkers{"circle",        "square", "triangle", "diamond",
                                                              "triangle-down", "plus",   "cross",    "star"};

struct Descriptor {
  std::string_view id;      // lower case, stable for ever: it is in permalinks
  std::string_view label;   // as people write it
  std::string_view family;  // loss, model, delay, learning, cellular, reference …
  Kind kind{Kind::sender};
  bool baseline{};              // the algorithm that fairness and harm are measured against; exactly one has it
  Prose summary;                // one or two plain sentences: what it believes and does
  Prose source;                 // paper section, RFC, draft version
  bool realtime{true};          // can run over UDP
  std::string_view revision{};  // of a plug-in: which build of it; empty: ours
  Identity identity{};
  Needs needs{};  // with the default parameters
  std::function<Needs(const Params&)>
      needs_with{};  // when parameters change the needs (pacing off, ECN on); null: `needs`
  std::vector<ParamSpec> params{};
  std::vector<InternalSpec> internals{};  // specs() of the Internals that the controller tells
  std::function<std::unique_ptr<Controller>(const Setup&, const Params&)>
      make;  // null for Kind::ideal and Kind::kernel
  std::function<std::unique_ptr<ReceiverAgent>(const Setup&, const Params&)>
      make_receiver_agent{};  // null: none needed
};

// What this CCA needs with these parameters.
[[nodiscard]] inline Needs needs_of(const Descriptor& cca, const Params& params) {
  return cca.needs_with ? cca.needs_with(params) : cca.needs;
}

// All registered CCAs, sorted by id. Those that declare no look have theirs from here, in the order of the ids; only after main()
// has begun.
[[nodiscard]] std::span<const Descriptor* const> registered_ccas();
// Null if unknown.
[[nodiscard]] const Descriptor* find_cca(std::string_view id);

// One more after main() has begun: of a plug-in, or written by somebody. Fails with std::invalid_argument when the id is taken. What its
// texts point to must last until all that were added are forgotten.
void add_cca(Descriptor descriptor);
// No run of theirs may be under way.
void forget_added_ccas();

// A look that is neither a registered one's nor one of `beside`.
[[nodiscard]] Identity free_look(std::span<const Descriptor* const> beside);

class RegisterCca {
 public:
  explicit RegisterCca(Descriptor descriptor);  // aborts with a message when the id is taken

 private:
  std::unique_ptr<Descriptor> descriptor_;
};

}  // namespace paceline
