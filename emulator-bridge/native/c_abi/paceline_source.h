/* The engine's applications for other languages: one writes without end, at a rate, or in spells, and gives whole packets.
 *
 * Times are nanoseconds of any clock. One that lies before that of an earlier call counts as that, and one more than two days after
 * the start as two days after it. All calls of one source come from one thread at a time. No exception crosses this boundary.
 */
#ifndef PACELINE_SOURCE_H
#define PACELINE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct paceline_source;

struct paceline_source_plan {
  double rate_bps;      /* of the packets on the wire; 0: as much as the flow takes */
  int64_t packet_bytes; /* a full packet on the wire, 1 to 65535 */
  double on_s;          /* spells of writing and of silence in turn, the first one of writing; both 0: no spells */
  double off_s;
  int exponential; /* the length of each is drawn, and these are the means */
  uint64_t seed;
};

/* The application begins at `start_ns`. The caller's, to be destroyed. Null when there is no such application or no memory: `error` then
 * holds one sentence, cut to `error_size` bytes. */
struct paceline_source* paceline_source_create(const struct paceline_source_plan* plan, int64_t start_ns, char* error,
                                               size_t error_size);
void paceline_source_destroy(struct paceline_source* source);

/* Takes the packets that are written by now, at most `most` and 65536 of them. How many these were; a null source has none. */
uint32_t paceline_source_take(struct paceline_source* source, int64_t now_ns, uint32_t most);

/* When to look again after take() had less than was asked for: there may be another packet, or a spell is over. INT64_MAX: never. */
int64_t paceline_source_next(const struct paceline_source* source);

#ifdef __cplusplus
}
#endif

#endif
