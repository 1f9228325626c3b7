/* Paceline's congestion-control algorithms for transports that are not Paceline's: a plain C interface to cca/controller.hh.
 *
 * The transport says what leaves (sent), what its acknowledgements said (acked, lost, then settle once per incoming datagram or
 * timer) and when it has stopped sending (paused). It asks for the window, the pacing rate and when the next packet may leave.
 * Delivery-rate samples, RTT smoothing, loss episodes (RFC 9002 section 7.3) and pacing are done here, by the engine's own code.
 *
 * Times are nanoseconds of any clock that does not run backwards, sizes are bytes on the wire. All calls of one controller come
 * from one thread at a time. No exception crosses this boundary; a call with a null controller is not allowed.
 */
#ifndef PACELINE_CCA_H
#define PACELINE_CCA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define PACELINE_NOEXCEPT noexcept
extern "C" {
#else
#define PACELINE_NOEXCEPT
#endif

/* What the transport shall do between two packets. */
enum paceline_pacing {
  PACELINE_PACING_WINDOW = 0, /* pace by window and RTT, as the transport is used to */
  PACELINE_PACING_OWN = 1,    /* let packets leave when paceline_cca_release() says so */
  PACELINE_PACING_NONE = 2    /* bursts, as the window opens */
};

struct paceline_cca;

struct paceline_cca_param {
  const char* name;
  const char* value; /* a number, true, false, or the name of a choice */
};

struct paceline_cca_environment {
  int64_t now_ns;
  int64_t mss_bytes; /* a full packet */
  uint64_t seed;     /* of the algorithm's randomness */
};

/* One of the values inside an algorithm; `states` is not zero when the value is an index of a state's name. */
struct paceline_cca_internal {
  const char* name;
  const char* label;
  const char* unit;
  size_t states;
};

struct paceline_cca_view {
  int64_t window_bytes;   /* congestion window; INT64_MAX: none */
  int64_t ssthresh_bytes; /* INT64_MAX: none yet */
  double pacing_bps;      /* the algorithm's own rate; 0: it has none */
  double delivery_bps;    /* latest delivery-rate sample; 0: none yet */
  int app_limited;        /* the application was the limit when the latest packets left */
  const char* phase;      /* one word; empty when the algorithm has none */
};

/* Version and source hash of the engine. */
const char* paceline_engine_version(void) PACELINE_NOEXCEPT;

/* The algorithms that can run outside the engine; null beyond the last. */
const char* paceline_cca_id(size_t index) PACELINE_NOEXCEPT;

/* Null when it cannot be made: `error` then holds one sentence. */
struct paceline_cca* paceline_cca_create(const char* id, const struct paceline_cca_param* params, size_t param_count,
                                         const struct paceline_cca_environment* environment, char* error,
                                         size_t error_size) PACELINE_NOEXCEPT;
void paceline_cca_destroy(struct paceline_cca* cca) PACELINE_NOEXCEPT;

/* `packets` packets of together `bytes`, all but the last of the full size, leave now. The time must be later than
 * that of every earlier call of this function: it is what acknowledgements and losses name packets by. */
void paceline_cca_sent(struct paceline_cca* cca, int64_t now_ns, int64_t bytes, uint32_t packets) PACELINE_NOEXCEPT;

/* Nothing more leaves for now. `nothing_to_send`: because the application has no data. */
void paceline_cca_paused(struct paceline_cca* cca, int nothing_to_send) PACELINE_NOEXCEPT;

/* A packet that left at `sent_ns` is newly acknowledged. Once per packet. */
void paceline_cca_acked(struct paceline_cca* cca, int64_t sent_ns, int64_t bytes) PACELINE_NOEXCEPT;

/* All packets still unacknowledged that left up to `newest_sent_ns`, `bytes` in all, are lost; no bytes: marks of congestion.
 * `persistent`: persistent congestion (RFC 9002 section 7.6). */
void paceline_cca_lost(struct paceline_cca* cca, int64_t newest_sent_ns, int64_t bytes,
                       int persistent) PACELINE_NOEXCEPT;

/* Ends what one datagram or timer brought; the algorithm now hears of it, losses first. `inflight_bytes`: what the transport
 * has in flight after it. `window_limited`: the window was what held the sender back (RFC 9002 section 7.8). */
void paceline_cca_settle(struct paceline_cca* cca, int64_t now_ns, int64_t inflight_bytes,
                         int window_limited) PACELINE_NOEXCEPT;

/* The algorithm's own timer: when it wants to be called (INT64_MAX: not), and the call. */
int64_t paceline_cca_next_tick(const struct paceline_cca* cca) PACELINE_NOEXCEPT;
void paceline_cca_tick(struct paceline_cca* cca, int64_t now_ns) PACELINE_NOEXCEPT;

enum paceline_pacing paceline_cca_pacing(const struct paceline_cca* cca) PACELINE_NOEXCEPT;
/* PACELINE_PACING_OWN: when the next packet may leave. Not later than now_ns: at once; INT64_MAX: not before something happens. */
int64_t paceline_cca_release(const struct paceline_cca* cca, int64_t now_ns) PACELINE_NOEXCEPT;

void paceline_cca_look(const struct paceline_cca* cca, struct paceline_cca_view* view) PACELINE_NOEXCEPT;

/* The values inside, one per description; unknown ones are NaN. */
size_t paceline_cca_internal_count(const struct paceline_cca* cca) PACELINE_NOEXCEPT;
void paceline_cca_describe_internal(const struct paceline_cca* cca, size_t index,
                                    struct paceline_cca_internal* out) PACELINE_NOEXCEPT;
const char* paceline_cca_state_name(const struct paceline_cca* cca, size_t internal, size_t state) PACELINE_NOEXCEPT;
void paceline_cca_internals(const struct paceline_cca* cca, float* out) PACELINE_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
