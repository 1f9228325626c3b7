/* Congestion-control algorithms from shared libraries: what a plug-in gives to Paceline (docs/plugins.md). Plain C, so that any
 * language can write one. The interface is as powerful as cca/controller.hh, whose rules hold here: an algorithm is a state machine
 * that reads no clock; same calls, same answers.
 *
 * Times are nanoseconds since the run began, sizes are bytes on the wire, rates are bits per second. Every field of what is told is eight
 * bytes wide, on every machine. What is not known is PACELINE_UNKNOWN, what never comes PACELINE_NEVER.
 *
 * All calls of one flow come from one thread; several flows may be alive at once. No exception may leave a plug-in.
 */
#ifndef PACELINE_PLUGIN_H
#define PACELINE_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grows whenever anything below changes, a new field included: a library that was built for another one is refused. */
#define PACELINE_PLUGIN_ABI 1

#define PACELINE_NEVER INT64_MAX
#define PACELINE_UNKNOWN INT64_MIN

enum { PACELINE_PACE_WINDOW = 0, PACELINE_PACE_OWN = 1, PACELINE_PACE_NONE = 2 };
enum { PACELINE_ECN_NONE = 0, PACELINE_ECN_CLASSIC = 1, PACELINE_ECN_L4S = 2 };
enum { PACELINE_TRANSPORT_TCP = 0, PACELINE_TRANSPORT_QUIC = 1, PACELINE_TRANSPORT_QUIC_GROW = 2 };

/* Where the flow stands in loss recovery, as seen by one acknowledgement. */
enum {
  PACELINE_RECOVERY_NONE = 0,
  PACELINE_RECOVERY_ENTERED = 1, /* this ACK revealed the first loss of an episode */
  PACELINE_RECOVERY_IN = 2,
  PACELINE_RECOVERY_TIMEOUT =
      3, /* repairing what was outstanding at a timeout: windows may grow (RFC 5681 section 3.1) */
  PACELINE_RECOVERY_EXITED = 4,
  PACELINE_RECOVERY_UNDONE = 5 /* the episode was proven spurious */
};

struct paceline_setup {
  int64_t now_ns;
  int64_t mss_bytes;
  int64_t initial_window_packets;
  int64_t transport;        /* PACELINE_TRANSPORT_... */
  int64_t handshake_rtt_ns; /* what the connection's opening took, or PACELINE_UNKNOWN */
  uint64_t seed;            /* of the algorithm's randomness */
};

struct paceline_acked_packet {
  int64_t number; /* transmission number: grows by one per transmission, never reused */
  int64_t bytes;
  int64_t sent_ns;
  int64_t rtt_ns;
  int64_t one_way_ns; /* receiver's timestamp - sent; PACELINE_UNKNOWN without PACELINE_NEEDS_RECEIVER_TIMESTAMPS */
  int64_t delivered_at_send_bytes;
  int64_t tag; /* paceline_control.tag when it was sent */
  int64_t retransmission;
};

struct paceline_lost_packet {
  int64_t number;
  int64_t bytes;
  int64_t sent_ns;
  int64_t tag;
  int64_t inflight_at_send_bytes; /* including itself */
  int64_t delivered_at_send_bytes;
  int64_t lost_at_send_bytes;
  int64_t app_limited;
};

struct paceline_ack {
  int64_t now_ns;
  int64_t acked_bytes; /* newly acknowledged, cumulatively and selectively */
  int64_t acked_packets;
  int64_t rtt_ns;     /* of the most recently sent packet newly acknowledged; PACELINE_UNKNOWN if ambiguous */
  int64_t one_way_ns; /* the forward part of it, on two clocks whose offset is unknown but constant */
  int64_t srtt_ns;
  int64_t rttvar_ns;
  int64_t min_rtt_ns;    /* least of the connection's life */
  int64_t newest_number; /* of that packet */
  int64_t next_number;   /* of the next transmission: a round that starts now ends when it is acknowledged */
  int64_t rate_valid;    /* delivery-rate sample (draft-ietf-ccwg-bbr section 4.1) */
  double rate_bps;
  int64_t rate_interval_ns;
  int64_t rate_delivered_bytes;
  int64_t rate_prior_delivered_bytes; /* the connection's total when the sampled packet was sent */
  int64_t rate_inflight_bytes;        /* in flight then, itself included */
  int64_t rate_lost_bytes;            /* lost since then */
  int64_t rate_app_limited;
  int64_t delivered_bytes; /* totals of the connection, this ACK included */
  int64_t lost_bytes;
  int64_t inflight_before_bytes;
  int64_t inflight_bytes;
  int64_t lost_packets;   /* declared lost by this ACK */
  int64_t window_limited; /* the window was what held the sender back (RFC 9002 section 7.8) */
  int64_t delayed;        /* the receiver held this ACK back */
  int64_t ce_packets;     /* newly reported congestion-experienced marks */
  int64_t recovery;       /* PACELINE_RECOVERY_... */
  int64_t next_send_ns;   /* when the pacer releases the next packet */
};

struct paceline_loss {
  int64_t now_ns;
  int64_t lost_bytes;
  int64_t lost_packets; /* 0: marks that the flow answers as losses */
  int64_t new_episode;  /* the classic place to reduce */
  int64_t inflight_before_bytes;
  int64_t inflight_bytes;
  int64_t total_delivered_bytes;
  int64_t total_lost_bytes;
};

struct paceline_timeout {
  int64_t now_ns;
  int64_t inflight_before_bytes;
  int64_t inflight_bytes;
  int64_t delivered_bytes;
  int64_t lost_bytes;
  int64_t repeated; /* ssthresh was already reduced for this data: not again */
};

struct paceline_sent {
  int64_t now_ns;
  int64_t number;
  int64_t bytes;
  int64_t retransmission;
  int64_t app_limited;
  int64_t inflight_before_bytes;
  int64_t inflight_bytes;
};

/* What the transport shall do: kept between calls, changed by whichever call wants to. `create` finds the initial window in it, and
 * nothing else set. */
struct paceline_control {
  int64_t cwnd_bytes;         /* more than 0; PACELINE_NEVER: rate control alone */
  int64_t ssthresh_bytes;     /* PACELINE_NEVER: none; where proportional rate reduction lands */
  double pacing_bps;          /* with PACELINE_PACE_OWN; 0: as the window opens */
  int64_t send_quantum_bytes; /* 0: the transport's default */
  int64_t hold_until_ns;      /* nothing leaves before; 0: nothing is held */
  int64_t next_tick_ns;       /* PACELINE_NEVER: no timer */
  int64_t tag;                /* attached to each packet sent */
  int64_t limits_itself;      /* 1: what is in flight counts as application-limited */
  double media_bps;           /* what a media encoder is told to produce; 0: nothing */
  int64_t phase;              /* index into `phases`; -1: none */
};

enum { PACELINE_PARAM_NUMBER = 0, PACELINE_PARAM_INTEGER = 1, PACELINE_PARAM_BOOLEAN = 2, PACELINE_PARAM_CHOICE = 3 };

struct paceline_param {
  const char* name; /* snake_case */
  const char* label;
  const char* unit; /* "" if none */
  const char* help; /* one sentence: what it does and when to move it */
  int32_t type;     /* PACELINE_PARAM_... */
  double initial;   /* booleans: 0 or 1; choices: index into `choices` */
  double min;
  double max;
  const char* const* choices;
  size_t choice_count;
};

struct paceline_internal {
  const char* name; /* column name, snake_case with unit: "bw_mbps" */
  const char* label;
  const char* unit;
  const char* const* states; /* NULL: a number; else the value is an index */
  size_t state_count;
};

/* Of the transport. Ask only for what is used: some of it costs time per packet. */
enum {
  PACELINE_NEEDS_PACED_START = 1,        /* pace from the first packet on; Linux leaves the first ten unpaced */
  PACELINE_NEEDS_NO_PRR = 2,             /* no proportional rate reduction during recovery */
  PACELINE_NEEDS_ACKED_PACKETS = 4,      /* the packets of on_ack one by one */
  PACELINE_NEEDS_RECEIVER_TIMESTAMPS = 8 /* paceline_acked_packet.one_way_ns */
};

struct paceline_algorithm {
  const char* id; /* lower-case letters, digits and hyphens, stable for ever: it is in permalinks */
  const char* label;
  const char* family; /* loss, model, delay, learning, cellular ... */
  const char* summary;
  const char* source;
  int32_t pacing;
  int32_t ecn;
  uint32_t needs;
  const struct paceline_param* params;
  size_t param_count;
  const struct paceline_internal* internals;
  size_t internal_count;
  const char* const* phases;
  size_t phase_count;
  const void* context; /* the plug-in's own, handed to create */

  /* `params`: one value each, as `initial` is. Returns the flow's state, which all other calls are given. */
  void* (*create)(const void* context, const struct paceline_setup* setup, const double* params,
                  struct paceline_control* control);
  void (*destroy)(void* state);
  /* Per acknowledgement: on_loss (what it revealed), then on_ack. Per retransmission timeout: on_timeout, then on_loss (never a new
   * episode). Only on_ack must be there. */
  void (*on_ack)(void* state, const struct paceline_ack* ack, const struct paceline_acked_packet* packets, size_t count,
                 struct paceline_control* control);
  void (*on_loss)(void* state, const struct paceline_loss* loss, const struct paceline_lost_packet* packets,
                  size_t count, struct paceline_control* control);
  void (*on_timeout)(void* state, const struct paceline_timeout* timeout, struct paceline_control* control);
  void (*on_sent)(void* state, const struct paceline_sent* sent, struct paceline_control* control);
  void (*on_tick)(void* state, int64_t now_ns, struct paceline_control* control);
  /* First send after nothing was in flight and the application was the limit. */
  void (*on_idle_restart)(void* state, int64_t now_ns, struct paceline_control* control);
  /* One value per internal; NaN: unknown. */
  void (*read_internals)(void* state, double* values);
};

struct paceline_plugin {
  uint32_t abi;           /* PACELINE_PLUGIN_ABI */
  size_t algorithm_bytes; /* sizeof(struct paceline_algorithm) */
  const struct paceline_algorithm* algorithms;
  size_t algorithm_count;
};

/* The one symbol of a plug-in. What it returns stays where it is for as long as the program runs. */
const struct paceline_plugin* paceline_get_plugin(void);

#ifdef __cplusplus
}
#endif

#endif
