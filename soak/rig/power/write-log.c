/*
 * Preloaded into every process of a home (`npm run soak power`): notes each change below POWER_ROOT, and each sync, in
 * POWER_LOG, in the order in which they happened. From that a disk can be made as a power cut at any instant leaves it.
 * A record: its kind, the time in ms, three numbers, two texts and data, each with its length before it (disk-log.ts).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define REAL(type, name, ...) \
	static type (*real)(__VA_ARGS__); \
	if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

struct head {
	uint64_t kind, ms, a, b, c;
	uint64_t path, other, data;
};

static int log_fd = -1;
static char root[PATH_MAX];

__attribute__((constructor)) static void start(void) {
	const char *path = getenv("POWER_LOG"), *below = getenv("POWER_ROOT");
	if (!path || !below) return;
	snprintf(root, sizeof root, "%s", below);
	REAL(int, "open64", const char *, int, ...);
	int fd = real(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	/* Shells close and reuse low descriptors. */
	log_fd = fcntl(fd, F_DUPFD_CLOEXEC, 700);
	close(fd);
}

static void note(char kind, uint64_t a, uint64_t b, uint64_t c, const char *path, const char *other, const void *data,
	size_t length) {
	if (log_fd < 0) return;
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	struct head head = {kind, now.tv_sec * 1000ull + now.tv_nsec / 1000000, a, b, c, strlen(path), strlen(other), length};
	struct iovec parts[] = {
		{&head, sizeof head}, {(void *)path, head.path}, {(void *)other, head.other}, {(void *)data, length}};
	REAL(ssize_t, "writev", int, const struct iovec *, int);
	int kept = errno;
	if (real(log_fd, parts, 4) != (ssize_t)(sizeof head + head.path + head.other + length)) abort();
	errno = kept;
}

static int is_below(const char *path) {
	size_t length = strlen(root);
	return length > 0 && strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == 0);
}

/* The whole path that a call names. */
static void whole(int at, const char *path, char *out) {
	char base[PATH_MAX], link[64];
	ssize_t length = 0;
	if (path[0] == '/') {
		snprintf(out, PATH_MAX, "%s", path);
		return;
	}
	if (at == AT_FDCWD) {
		if (!getcwd(base, sizeof base)) base[0] = 0;
	} else {
		snprintf(link, sizeof link, "/proc/self/fd/%d", at);
		length = readlink(link, base, sizeof base - 1);
		base[length < 0 ? 0 : length] = 0;
	}
	if (snprintf(out, PATH_MAX, "%s/%s", base, path) >= PATH_MAX) out[0] = 0;
}

/* The inode of a file or folder below the root; 0 for everything else. */
static uint64_t inode_of(int fd) {
	char link[64], path[PATH_MAX];
	struct stat found;
	if (log_fd < 0 || fd == log_fd) return 0;
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t length = readlink(link, path, sizeof path - 1);
	if (length < 0) return 0;
	path[length] = 0;
	if (!is_below(path) || fstat(fd, &found) || !(S_ISREG(found.st_mode) || S_ISDIR(found.st_mode))) return 0;
	return found.st_ino;
}

static int opened(int at, const char *path, int flags, int fd) {
	char full[PATH_MAX];
	struct stat found;
	if (fd < 0 || log_fd < 0 || !(flags & (O_CREAT | O_TRUNC))) return fd;
	int kept = errno;
	whole(at, path, full);
	if (is_below(full) && !fstat(fd, &found) && S_ISREG(found.st_mode))
		note('o', found.st_ino, flags & O_TRUNC ? 1 : 0, 0, full, "", "", 0);
	errno = kept;
	return fd;
}

#define OPEN(name) \
	int name(const char *path, int flags, ...) { \
		REAL(int, #name, const char *, int, ...); \
		va_list more; \
		va_start(more, flags); \
		mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
		va_end(more); \
		return opened(AT_FDCWD, path, flags, real(path, flags, mode)); \
	}
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
	int name(int at, const char *path, int flags, ...) { \
		REAL(int, #name, int, const char *, int, ...); \
		va_list more; \
		va_start(more, flags); \
		mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
		va_end(more); \
		return opened(at, path, flags, real(at, path, flags, mode)); \
	}
OPENAT(openat)
OPENAT(openat64)

static void wrote(int fd, const void *data, ssize_t done, off_t at) {
	int kept = errno;
	uint64_t inode = done > 0 ? inode_of(fd) : 0;
	/* Also of what is only ever appended to: the place of this descriptor is then behind its own bytes. */
	if (inode) note('w', inode, at >= 0 ? at : lseek(fd, 0, SEEK_CUR) - done, 0, "", "", data, done);
	errno = kept;
}

ssize_t write(int fd, const void *data, size_t length) {
	REAL(ssize_t, "write", int, const void *, size_t);
	ssize_t done = real(fd, data, length);
	wrote(fd, data, done, -1);
	return done;
}

#define PWRITE(name) \
	ssize_t name(int fd, const void *data, size_t length, off_t at) { \
		REAL(ssize_t, #name, int, const void *, size_t, off_t); \
		ssize_t done = real(fd, data, length, at); \
		wrote(fd, data, done, at); \
		return done; \
	}
PWRITE(pwrite)
PWRITE(pwrite64)

static void wrote_parts(int fd, const struct iovec *parts, int count, ssize_t done, off_t at) {
	if (done <= 0 || !inode_of(fd)) return;
	char *all = malloc(done), *to = all;
	ssize_t left = done;
	for (int n = 0; n < count && left > 0; n++) {
		ssize_t size = (ssize_t)parts[n].iov_len < left ? (ssize_t)parts[n].iov_len : left;
		memcpy(to, parts[n].iov_base, size);
		to += size;
		left -= size;
	}
	wrote(fd, all, done, at);
	free(all);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
	REAL(ssize_t, "writev", int, const struct iovec *, int);
	ssize_t done = real(fd, parts, count);
	wrote_parts(fd, parts, count, done, -1);
	return done;
}

#define PWRITEV(name) \
	ssize_t name(int fd, const struct iovec *parts, int count, off_t at) { \
		REAL(ssize_t, #name, int, const struct iovec *, int, off_t); \
		ssize_t done = real(fd, parts, count, at); \
		wrote_parts(fd, parts, count, done, at); \
		return done; \
	}
PWRITEV(pwritev)
PWRITEV(pwritev64)

#define FTRUNCATE(name) \
	int name(int fd, off_t size) { \
		REAL(int, #name, int, off_t); \
		int failed = real(fd, size); \
		uint64_t inode = failed ? 0 : inode_of(fd); \
		if (inode) note('t', inode, size, 0, "", "", "", 0); \
		return failed; \
	}
FTRUNCATE(ftruncate)
FTRUNCATE(ftruncate64)

/* What was noted before the sync began is on the disk after it. */
#define SYNC(name) \
	int name(int fd) { \
		REAL(int, #name, int); \
		uint64_t inode = inode_of(fd), began = inode ? lseek(log_fd, 0, SEEK_END) : 0; \
		int failed = real(fd); \
		if (!failed && inode) note('s', inode, began, 0, "", "", "", 0); \
		return failed; \
	}
SYNC(fsync)
SYNC(fdatasync)

static int named(char kind, int failed, int from_at, const char *from, int to_at, const char *to) {
	char one[PATH_MAX], other[PATH_MAX] = "";
	struct stat found = {0};
	if (failed || log_fd < 0) return failed;
	int kept = errno;
	whole(from_at, from, one);
	if (to) whole(to_at, to, other);
	lstat(to ? other : one, &found);
	if (is_below(one) || is_below(other)) note(kind, found.st_ino, 0, 0, one, other, "", 0);
	errno = kept;
	return failed;
}

int rename(const char *from, const char *to) {
	REAL(int, "rename", const char *, const char *);
	return named('r', real(from, to), AT_FDCWD, from, AT_FDCWD, to);
}
int renameat(int from_at, const char *from, int to_at, const char *to) {
	REAL(int, "renameat", int, const char *, int, const char *);
	return named('r', real(from_at, from, to_at, to), from_at, from, to_at, to);
}
int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags) {
	REAL(int, "renameat2", int, const char *, int, const char *, unsigned);
	return named('r', real(from_at, from, to_at, to, flags), from_at, from, to_at, to);
}
int link(const char *from, const char *to) {
	REAL(int, "link", const char *, const char *);
	return named('l', real(from, to), AT_FDCWD, from, AT_FDCWD, to);
}
int linkat(int from_at, const char *from, int to_at, const char *to, int flags) {
	REAL(int, "linkat", int, const char *, int, const char *, int);
	return named('l', real(from_at, from, to_at, to, flags), from_at, from, to_at, to);
}
int unlink(const char *path) {
	REAL(int, "unlink", const char *);
	return named('u', real(path), AT_FDCWD, path, 0, NULL);
}
int unlinkat(int at, const char *path, int flags) {
	REAL(int, "unlinkat", int, const char *, int);
	return named('u', real(at, path, flags), at, path, 0, NULL);
}
int rmdir(const char *path) {
	REAL(int, "rmdir", const char *);
	return named('u', real(path), AT_FDCWD, path, 0, NULL);
}
int mkdir(const char *path, mode_t mode) {
	REAL(int, "mkdir", const char *, mode_t);
	return named('m', real(path, mode), AT_FDCWD, path, 0, NULL);
}
int mkdirat(int at, const char *path, mode_t mode) {
	REAL(int, "mkdirat", int, const char *, mode_t);
	return named('m', real(at, path, mode), at, path, 0, NULL);
}

/* These would change files unseen: a run that meets one says so and does not count. */
#define UNSEEN(type, name, args, call) \
	type name args { \
		REAL(type, #name, PARAMS args); \
		if (inode_of(out)) note('?', 0, 0, 0, #name, "", "", 0); \
		return real call; \
	}
#define PARAMS(...) __VA_ARGS__
UNSEEN(ssize_t, sendfile, (int out, int in, off_t *at, size_t size), (out, in, at, size))
UNSEEN(ssize_t, sendfile64, (int out, int in, off_t *at, size_t size), (out, in, at, size))
UNSEEN(ssize_t, copy_file_range, (int in, off_t *in_at, int out, off_t *out_at, size_t size, unsigned flags),
	(in, in_at, out, out_at, size, flags))
UNSEEN(int, fallocate, (int out, int mode, off_t at, off_t size), (out, mode, at, size))
UNSEEN(int, posix_fallocate, (int out, off_t at, off_t size), (out, at, size))
