// Preloaded into a server, a disk that fails at random: of what is written, synced, cut, created, renamed, removed below one folder, some calls
// fail with EIO or ENOSPC, and some writes are done by half. How many is steered from outside (failing-disk.ts), through a file in memory.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST_FILES = 65536 };

// One call in `every` fails (0: none); how many have.
static struct steering {
  _Atomic uint32_t every;
  _Atomic uint32_t failed;
} * steering;
static const char* below;
// Node closes files by a call that cannot be seen here: whether a descriptor is still that file, its number on the disk tells.
static _Atomic ino_t opened_as[MOST_FILES];
static _Atomic uint64_t state;

#define REAL(name)                                     \
  static __typeof__(name)* real;                       \
  if (real == NULL) {                                  \
    real = (__typeof__(name)*)dlsym(RTLD_NEXT, #name); \
  }

static int opened(const char* path, int flags) {
  REAL(open)
  return real(path, flags);
}

__attribute__((constructor)) static void begin(void) {
  const char* file = getenv("FAILING_DISK");
  below = getenv("FAILING_DISK_BELOW");
  if (file == NULL || below == NULL) {
    return;
  }
  int fd = opened(file, O_RDWR | O_CLOEXEC);
  void* at = mmap(NULL, sizeof *steering, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (at != MAP_FAILED) {
    steering = at;
  }
  state = (uint64_t)getpid();
}

// splitmix64
static uint64_t drawn(void) {
  uint64_t x = atomic_fetch_add(&state, 0x9E3779B97F4A7C15U);
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

static int fails(int concerned) {
  if (!concerned || steering->every == 0 || drawn() % steering->every != 0) {
    return 0;
  }
  atomic_fetch_add(&steering->failed, 1);
  errno = drawn() % 4 == 0 ? ENOSPC : EIO;
  return 1;
}

static int path_is_ours(const char* path) {
  return steering != NULL && path != NULL && strncmp(path, below, strlen(below)) == 0;
}

static ino_t number_of(int fd) {
  struct stat64 found;
  return fstat64(fd, &found) == 0 && S_ISREG(found.st_mode) ? found.st_ino : 0;
}

static int file_is_ours(int fd) {
  return fd >= 0 && fd < MOST_FILES && opened_as[fd] != 0 && opened_as[fd] == number_of(fd);
}

static int remembered(int fd, const char* path) {
  if (fd >= 0 && fd < MOST_FILES) {
    opened_as[fd] = path_is_ours(path) ? number_of(fd) : 0;
  }
  return fd;
}

#define OPEN(name, parameters, words)                          \
  int name parameters {                                        \
    REAL(name)                                                 \
    mode_t mode = 0;                                           \
    if ((flags & (O_CREAT | O_TMPFILE)) != 0) {                \
      va_list rest;                                            \
      va_start(rest, flags);                                   \
      mode = va_arg(rest, mode_t);                             \
      va_end(rest);                                            \
    }                                                          \
    if (fails((flags & O_CREAT) != 0 && path_is_ours(path))) { \
      return -1;                                               \
    }                                                          \
    return remembered(real words, path);                       \
  }
OPEN(open, (const char* path, int flags, ...), (path, flags, mode))
OPEN(open64, (const char* path, int flags, ...), (path, flags, mode))
OPEN(openat, (int folder, const char* path, int flags, ...), (folder, path, flags, mode))
OPEN(openat64, (int folder, const char* path, int flags, ...), (folder, path, flags, mode))

int close(int fd) {
  REAL(close)
  if (fd >= 0 && fd < MOST_FILES) {
    opened_as[fd] = 0;
  }
  return real(fd);
}

// Of a write that fails, every third has done half of it.
#define WRITE(name, parameters, whole, half)                  \
  ssize_t name parameters {                                   \
    REAL(name)                                                \
    if (fails(file_is_ours(fd))) {                            \
      return length > 1 && drawn() % 3 == 0 ? real half : -1; \
    }                                                         \
    return real whole;                                        \
  }
WRITE(write, (int fd, const void* from, size_t length), (fd, from, length), (fd, from, length / 2))
WRITE(pwrite, (int fd, const void* from, size_t length, off_t at), (fd, from, length, at), (fd, from, length / 2, at))
WRITE(pwrite64, (int fd, const void* from, size_t length, off64_t at), (fd, from, length, at),
      (fd, from, length / 2, at))

#define CALL(name, parameters, words, concerned) \
  int name parameters {                          \
    REAL(name)                                   \
    return fails(concerned) ? -1 : real words;   \
  }
CALL(fsync, (int fd), (fd), file_is_ours(fd))
CALL(fdatasync, (int fd), (fd), file_is_ours(fd))
CALL(ftruncate, (int fd, off_t length), (fd, length), file_is_ours(fd))
CALL(ftruncate64, (int fd, off64_t length), (fd, length), file_is_ours(fd))
CALL(rename, (const char* from, const char* to), (from, to), path_is_ours(to))
CALL(unlink, (const char* path), (path), path_is_ours(path))
CALL(mkdir, (const char* path, mode_t mode), (path, mode), path_is_ours(path))
