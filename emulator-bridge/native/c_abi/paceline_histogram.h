/* The engine's distribution of delays for other languages: exact count, mean and maximum; percentiles of the nearest rank, at most
 * 0.4 % off. All calls of one histogram come from one thread at a time. A null histogram is nothing: adding to it does nothing, reading
 * it finds no delays. No exception crosses this boundary.
 */
#ifndef PACELINE_HISTOGRAM_H
#define PACELINE_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct paceline_histogram;

/* Milliseconds; NaN while there is no delay. */
struct paceline_delays {
  uint64_t count;
  double mean_ms;
  double p50_ms;
  double p95_ms;
  double p99_ms;
  double max_ms;
};

/* The caller's, to be destroyed; null: no memory. */
struct paceline_histogram* paceline_histogram_create(void);
void paceline_histogram_destroy(struct paceline_histogram* histogram);

/* `weight` delays of so many nanoseconds; a negative one counts as 0. */
void paceline_histogram_add(struct paceline_histogram* histogram, int64_t delay_ns, uint32_t weight);

void paceline_histogram_read(const struct paceline_histogram* histogram, struct paceline_delays* out);

/* What it is made of: a delay in milliseconds and how many there are of it, in turn, in order. Writes at most `room` numbers and returns how
 * many there are. */
size_t paceline_histogram_spread(const struct paceline_histogram* histogram, double* out, size_t room);

#ifdef __cplusplus
}
#endif

#endif
