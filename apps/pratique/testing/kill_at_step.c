/* Preloaded into the program by interrupted_test.py: kills it, as kill -9 would, before the KILL_AT-th call that
 * changes something under the folder KILL_UNDER (a whole path), or makes sure that a change is on disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long steps;

static void step(const char* path) {
  const char* under = getenv("KILL_UNDER");
  const char* at = getenv("KILL_AT");
  if (under == NULL || at == NULL || strncmp(path, under, strlen(under)) != 0) return;
  if (atomic_fetch_add(&steps, 1) + 1 == atol(at)) {
    (void)kill(getpid(), SIGKILL);
    for (;;) (void)pause();
  }
}

static void step_in(int descriptor) {
  char link[64];
  char path[PATH_MAX + 1] = "";
  (void)snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
  if (readlink(link, path, PATH_MAX) > 0) step(path);
}

#define REAL(type, name, ...)                             \
  static type (*real)(__VA_ARGS__);                       \
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, #name)

int rename(const char* from, const char* to) {
  REAL(int, rename, const char*, const char*);
  step(from);
  return real(from, to);
}

int link(const char* from, const char* to) {
  REAL(int, link, const char*, const char*);
  step(to);
  return real(from, to);
}

int unlink(const char* path) {
  REAL(int, unlink, const char*);
  step(path);
  return real(path);
}

int unlinkat(int folder, const char* path, int flags) {
  REAL(int, unlinkat, int, const char*, int);
  if (path[0] == '/') {
    step(path);
  } else {
    step_in(folder);
  }
  return real(folder, path, flags);
}

int rmdir(const char* path) {
  REAL(int, rmdir, const char*);
  step(path);
  return real(path);
}

int mkdir(const char* path, mode_t mode) {
  REAL(int, mkdir, const char*, mode_t);
  step(path);
  return real(path, mode);
}

int fsync(int descriptor) {
  REAL(int, fsync, int);
  step_in(descriptor);
  return real(descriptor);
}

ssize_t write(int descriptor, const void* bytes, size_t count) {
  REAL(ssize_t, write, int, const void*, size_t);
  step_in(descriptor);
  return real(descriptor, bytes, count);
}
