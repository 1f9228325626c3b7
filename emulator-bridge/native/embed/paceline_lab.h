/* Paceline's engine inside another program: runs in virtual time, and episodes in which somebody outside decides what a flow does
 * next. A plain C interface, with which emulator-bridge/python is made.
 *
 * What is given is copied; what is got lasts as long as what it was got of. No exception crosses this boundary. Where a function may
 * fail it takes `error`, `room` bytes for one sentence; it always ends with a zero. A lab, and a run that is over, may be used by many
 * threads at once; an episode by one at a time. Times are seconds of the run.
 */
#ifndef PACELINE_LAB_H
#define PACELINE_LAB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define PACELINE_NOEXCEPT noexcept
extern "C" {
#else
#define PACELINE_NOEXCEPT
#endif
/* All else in the library is hidden. */
#pragma GCC visibility push(default)

/* Changes with what is below. */
#define PACELINE_LAB_VERSION 2
uint32_t paceline_lab_version(void) PACELINE_NOEXCEPT;
/* "0.1.0+0123456789ab" */
const char* paceline_lab_engine_version(void) PACELINE_NOEXCEPT;

/* The algorithms, queue disciplines and path elements with their parameters, as `paceline-list` has them, but for those of this machine's
 * kernel. JSON; lasts as long as the library; another one once an algorithm was added. */
const char* paceline_lab_listing(void) PACELINE_NOEXCEPT;

/* One more algorithm, behind the interface of plug-ins (native/plugin/paceline_plugin.h), for all labs. `revision` says which build of it
 * this is: manifests carry it. One that was added before under the same id is replaced, and runs that are under way go on with what they
 * began with. `algorithm` and what it points to are not copied, and must last as long as the library. Runs call it in their threads;
 * episodes refuse it, since their runs have stacks of their own. 0: taken. */
struct paceline_algorithm;
int paceline_lab_algorithm(const struct paceline_algorithm* algorithm, const char* revision, char* error,
                           size_t room) PACELINE_NOEXCEPT;

/* What manifests name by hash. */
struct paceline_lab;
struct paceline_lab* paceline_lab_create(void) PACELINE_NOEXCEPT; /* null: no memory */
void paceline_lab_destroy(struct paceline_lab* lab) PACELINE_NOEXCEPT;
/* `sha256`: 64 characters. A trace in its stored form (docs/traces.md), a weights file (docs/weights.md). 0: taken. */
int paceline_lab_trace(struct paceline_lab* lab, const char* sha256, const char* text, size_t size, char* error,
                       size_t room) PACELINE_NOEXCEPT;
int paceline_lab_weights(struct paceline_lab* lab, const char* sha256, const char* text, size_t size, char* error,
                         size_t room) PACELINE_NOEXCEPT;

/* A run from beginning to end; null when it cannot be made. It ends soon after `*cancelled` is not zero, and is null then, too.
 * `with_samples` 0: only what it comes to. */
struct paceline_run;
struct paceline_run* paceline_run_create(struct paceline_lab* lab, const char* manifest, size_t size, int with_samples,
                                         const volatile int* cancelled, char* error, size_t room) PACELINE_NOEXCEPT;
void paceline_run_destroy(struct paceline_run* run) PACELINE_NOEXCEPT;
/* JSON, as the telemetry has them (docs/telemetry.md): `hello` names the streams and their columns; `events` is a list. */
const char* paceline_run_hello(const struct paceline_run* run) PACELINE_NOEXCEPT;
const char* paceline_run_summary(const struct paceline_run* run) PACELINE_NOEXCEPT;
const char* paceline_run_events(const struct paceline_run* run) PACELINE_NOEXCEPT;

struct paceline_series {
  size_t rows;
  size_t columns;      /* beside the time */
  const double* times; /* rows */
  const float* values; /* rows x columns, row after row; NaN: not measured */
};
/* Of a stream that `hello` names. 0: there is such a stream. */
int paceline_run_series(const struct paceline_run* run, uint16_t stream, struct paceline_series* out) PACELINE_NOEXCEPT;

/* The algorithms in whose loops somebody outside can decide, and what each shows him; null beyond the last. */
const char* paceline_loop_id(size_t loop) PACELINE_NOEXCEPT;
const char* paceline_loop_input(size_t loop, size_t input) PACELINE_NOEXCEPT;

/* Where an episode stands: it waits for a decision about `flow`, or is over (-1), or has failed (-2). */
struct paceline_decision {
  int32_t flow;
  int32_t inputs; /* how many values the loop shows */
  double now;
  /* Of what is judged: since the decision before about the same flow; of Aurora a monitor interval, which was settled now. */
  double lasted;
  double acked_bytes;
  double lost_bytes;
  double rtt_samples;
  double mean_rtt;
  double capacity_bps; /* of the link */
  double reward;       /* the loop's own; NaN: it has none */
  /* Now. */
  double srtt;
  double least_rtt;
  double cwnd_bytes;
  double inflight_bytes;
};

/* An episode is a run that stops at every decision. `agents`: the flows about which somebody decides; their algorithms must have loops.
 * The manifest is read at once, and nothing runs yet. */
struct paceline_episode;
struct paceline_episode* paceline_episode_create(struct paceline_lab* lab, const char* manifest, size_t size,
                                                 const uint32_t* agents, size_t agent_count, char* error,
                                                 size_t room) PACELINE_NOEXCEPT;
void paceline_episode_destroy(struct paceline_episode* episode) PACELINE_NOEXCEPT;
/* JSON, once it is over; else null. */
const char* paceline_episode_summary(struct paceline_episode* episode) PACELINE_NOEXCEPT;
/* Why it has failed; else null. */
const char* paceline_episode_error(const struct paceline_episode* episode) PACELINE_NOEXCEPT;

/* Threads among which a step of many episodes is shared, the caller's among them. Null: there cannot be so many. */
struct paceline_crew;
struct paceline_crew* paceline_crew_create(size_t threads) PACELINE_NOEXCEPT;
void paceline_crew_destroy(struct paceline_crew* crew) PACELINE_NOEXCEPT;
/* Each episode goes on to its next decision. `actions[i]`, cut off at -1 and 1, answers what episode i waits for; before the first
 * decision, and when it is over, it is not looked at. `seen`: `width` values for each, of which the first `inputs` are written. */
void paceline_crew_step(struct paceline_crew* crew, struct paceline_episode* const* episodes, const double* actions,
                        size_t count, struct paceline_decision* decisions, float* seen, size_t width) PACELINE_NOEXCEPT;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#undef PACELINE_NOEXCEPT
#endif
