// Owns failing file operations of a program at its boundary to the kernel: loaded into it by LD_PRELOAD, it stands between libuv
// and libc, counts the operations on paths below FAULT_BELOW by kind, and at those of FAULT_AT kills the program, never returns,
// fails the call with an error number, lets a write take only a part, says done of what it never did, or copies the folder as a kill
// would leave it. It knows no program. strace -e inject would need neither C nor LD_PRELOAD, but counts by thread, asks for no
// folder, and would hit the write(2) by which libuv's threads wake its loop.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static long (*real_syscall)(long, ...);
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;

static char *below, *at, *action, *copy, *copies, *log_name;
static struct { const char *name; char **value; } settings[] = {
  {"FAULT_BELOW", &below}, {"FAULT_AT", &at}, {"FAULT_ACTION", &action},
  {"FAULT_COPY", &copy}, {"FAULT_COPIES", &copies}, {"FAULT_LOG", &log_name},
};
static int log_fd = -1;
static struct { const char *kind; long calls; } seen[32];

static void set(const char *name, const char *value) {
  pthread_mutex_lock(&one);
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
    char **setting = settings[i].value;
    if (strcmp(name, settings[i].name) != 0) continue;
    free(*setting);
    *setting = value ? strdup(value) : NULL;
    if (setting != &log_name) continue;
    // With another log begins another command of the same process.
    memset(seen, 0, sizeof seen);
    if (log_fd >= 0) real_syscall(SYS_close, log_fd);
    log_fd = value ? real_syscall(SYS_openat, AT_FDCWD, value, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644) : -1;
  }
  pthread_mutex_unlock(&one);
}

__attribute__((constructor)) static void begin(void) {
  real_syscall = dlsym(RTLD_NEXT, "syscall");
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) set(settings[i].name, getenv(settings[i].name));
}

// What Node does when process.env changes.
int setenv(const char *name, const char *value, int overwrite) {
  set(name, value);
  return REAL(setenv)(name, value, overwrite);
}
int unsetenv(const char *name) {
  set(name, NULL);
  return REAL(unsetenv)(name);
}

static void note(const char *what, const char *path) {
  char line[4200];
  int length = snprintf(line, sizeof line, "%s %s\n", what, path);
  if (log_fd >= 0) real_syscall(SYS_write, log_fd, line, length);
}

// Meanwhile nobody begins another operation: whatever is under way may have been done or not when a program is killed.
static void copy_to(const char *key) {
  char to[4200];
  snprintf(to, sizeof to, "%s/%s", copies, key);
  char *arguments[] = {"sh", "-c", copy, "sh", below, to, NULL}, *variables[] = {"PATH=/usr/bin:/bin", NULL};
  pid_t child;
  if (posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, variables) != 0) abort();
  waitpid(child, NULL, 0);
}

enum { PASS, FAIL, PART, LIE };

static int is_met(const char *what, const char *path) {
  size_t i = 0;
  while (seen[i].kind && strcmp(seen[i].kind, what) != 0) i++;
  seen[i].kind = what;
  char key[64], every[64];
  int length = snprintf(key, sizeof key, ",%s:%ld,", what, ++seen[i].calls);
  snprintf(every, sizeof every, ",%s:0,", what);
  // Without FAULT_AT every call is written to the log and passes.
  if (at && !strstr(at, key) && !strstr(at, every)) return 0;
  note(what, path);
  if (!at) return 0;
  key[length - 1] = 0;
  if (strcmp(action, "copy") == 0) copy_to(key + 1);
  return 1;
}

static int meets(const char *what, const char *path) {
  pthread_mutex_lock(&one);
  int met = below && strncmp(path, below, strlen(below)) == 0 && is_met(what, path);
  pthread_mutex_unlock(&one);
  if (!met || strcmp(action, "copy") == 0) return PASS;
  if (strcmp(action, "kill") == 0) raise(SIGKILL);
  if (strcmp(action, "hang") == 0)
    for (;;) pause();
  if (strcmp(action, "part") == 0) return PART;
  if (strcmp(action, "lie") == 0) return LIE;
  errno = atoi(action);
  return FAIL;
}

static int path_of(int fd, char *path, size_t size) {
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  ssize_t length = real_syscall(SYS_readlinkat, AT_FDCWD, name, path, size - 1);
  path[length > 0 ? length : 0] = 0;
  return length > 0;
}

static int meets_fd(const char *what, int fd) {
  char path[4096];
  return path_of(fd, path, sizeof path) ? meets(what, path) : PASS;
}

// A name may be relative to an open folder.
static int meets_at(const char *what, int fd, const char *name) {
  char path[8192];
  if (*name == '/' || fd == AT_FDCWD || !path_of(fd, path, 4096)) return meets(what, name);
  size_t length = strlen(path);
  snprintf(path + length, sizeof path - length, "/%s", name);
  return meets(what, path);
}

#define OF_PATH(name, what, path, params, ...) \
  int name params { return meets(what, path) == FAIL ? -1 : REAL(name)(__VA_ARGS__); }
#define OF_FD(name, what, type, params, ...) \
  type name params { return meets_fd(what, fd) == FAIL ? -1 : REAL(name)(__VA_ARGS__); }

static int is_open(const char *path, int flags) { return meets(flags & O_CREAT ? "create" : "open", path); }

#define OPEN(name)                                             \
  int name(const char *path, int flags, ...) {                 \
    va_list rest;                                              \
    va_start(rest, flags);                                     \
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;  \
    va_end(rest);                                              \
    return is_open(path, flags) == FAIL ? -1 : REAL(name)(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

// A part is at least a byte: 0 would say that the disk takes no more.
#define WRITE(name, part, params, ...)  \
  ssize_t name params {                 \
    int met = meets_fd("write", fd);    \
    if (met == FAIL) return -1;         \
    if (met == PART) count = part;      \
    return REAL(name)(__VA_ARGS__);     \
  }
#define HALF ((count + 1) / 2)
WRITE(write, HALF, (int fd, const void *bytes, size_t count), fd, bytes, count)
WRITE(pwrite, HALF, (int fd, const void *bytes, size_t count, off_t at), fd, bytes, count, at)
WRITE(pwrite64, HALF, (int fd, const void *bytes, size_t count, off64_t at), fd, bytes, count, at)
WRITE(writev, 1, (int fd, const struct iovec *buffers, int count), fd, buffers, count)

#define SYNC(name)                                    \
  int name(int fd) {                                  \
    int met = meets_fd("fsync", fd);                  \
    return met == FAIL ? -1 : met == LIE ? 0 : REAL(name)(fd); \
  }
SYNC(fsync)
SYNC(fdatasync)

OF_FD(read, "read", ssize_t, (int fd, void *bytes, size_t count), fd, bytes, count)
OF_FD(pread, "read", ssize_t, (int fd, void *bytes, size_t count, off_t at), fd, bytes, count, at)
OF_FD(pread64, "read", ssize_t, (int fd, void *bytes, size_t count, off64_t at), fd, bytes, count, at)
OF_FD(ftruncate, "truncate", int, (int fd, off_t size), fd, size)
OF_FD(ftruncate64, "truncate", int, (int fd, off64_t size), fd, size)
OF_FD(futimens, "utimens", int, (int fd, const struct timespec times[2]), fd, times)
OF_FD(fchmod, "chmod", int, (int fd, mode_t mode), fd, mode)
OF_PATH(chmod, "chmod", path, (const char *path, mode_t mode), path, mode)
OF_PATH(mkdir, "mkdir", path, (const char *path, mode_t mode), path, mode)
OF_PATH(rmdir, "rmdir", path, (const char *path), path)
OF_PATH(unlink, "unlink", path, (const char *path), path)
int unlinkat(int fd, const char *path, int flags) {
  int met = meets_at(flags & AT_REMOVEDIR ? "rmdir" : "unlink", fd, path);
  return met == FAIL ? -1 : REAL(unlinkat)(fd, path, flags);
}
OF_PATH(rename, "rename", to, (const char *from, const char *to), from, to)
OF_PATH(link, "link", to, (const char *from, const char *to), from, to)
OF_PATH(symlink, "symlink", to, (const char *from, const char *to), from, to)
OF_PATH(utimensat, "utimens", path, (int fd, const char *path, const struct timespec times[2], int flags), fd, path,
        times, flags)
OF_PATH(scandir, "list", path,
        (const char *path, struct dirent ***list, int (*take)(const struct dirent *),
         int (*order)(const struct dirent **, const struct dirent **)),
        path, list, take, order)
OF_PATH(scandir64, "list", path,
        (const char *path, struct dirent64 ***list, int (*take)(const struct dirent64 *),
         int (*order)(const struct dirent64 **, const struct dirent64 **)),
        path, list, take, order)

ssize_t readlink(const char *path, char *target, size_t size) {
  return meets("readlink", path) == FAIL ? -1 : REAL(readlink)(path, target, size);
}

OF_FD(close, "close", int, (int fd), fd)

// libuv calls statx(2) and close(2) by number.
long syscall(long number, ...) {
  va_list rest;
  va_start(rest, number);
  long a = va_arg(rest, long), b = va_arg(rest, long), c = va_arg(rest, long);
  long d = va_arg(rest, long), e = va_arg(rest, long), f = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_close && meets_fd("close", (int)a) == FAIL) return -1;
  if (number == SYS_statx) {
    const char *path = (const char *)b;
    if ((path && *path ? meets("stat", path) : meets_fd("stat", (int)a)) == FAIL) return -1;
  }
  return real_syscall(number, a, b, c, d, e, f);
}
