#pragma once
#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <resolv.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* fcntl is variadic, SOCK_* is an enumeration in Swift's eyes, and the resolver's names are macros. */
static inline int bellhop_nonblocking(int fd) { return fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); }
static inline int bellhop_stream_socket(int family) { return socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }
static inline int bellhop_name_thread(const char *name) { return prctl(PR_SET_NAME, name); }
static inline int bellhop_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static inline int bellhop_tune(int fd, unsigned user_timeout_ms) {
    int on = 1, idle = 60, every = 20, count = 3;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &every, sizeof every);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &user_timeout_ms, sizeof user_timeout_ms);
    return setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static inline int bellhop_socket_error(int fd) {
    int error = 0;
    socklen_t length = sizeof error;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) == 0 ? error : -1;
}

/* A socket that listens on 127.0.0.1; port 0 takes a free one. */
static inline int bellhop_listen(unsigned short port) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1;
    if (fd < 0) return -1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 64) == 0) return fd;
    close(fd);
    return -1;
}
static inline int bellhop_port(int fd) {
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    return getsockname(fd, (struct sockaddr *)&address, &length) == 0 ? ntohs(address.sin_port) : -1;
}
static inline int bellhop_accept(int fd) {
    int connection = accept(fd, NULL, NULL);
    if (connection >= 0) {
        fcntl(connection, F_SETFD, FD_CLOEXEC);
        bellhop_nonblocking(connection);
    }
    return connection;
}

/* The k-th address of a getaddrinfo answer as text and as a connectable copy. */
static inline int bellhop_connect(int fd, const struct addrinfo *a) { return connect(fd, a->ai_addr, a->ai_addrlen); }
static inline int bellhop_numeric(const struct addrinfo *a, char *out, int size) {
    return getnameinfo(a->ai_addr, a->ai_addrlen, out, (socklen_t)size, NULL, 0, NI_NUMERICHOST);
}

/* One SRV answer of the form that the caller walks by index. Returns the number of records, 0 for "no such name" or
   "no such record", and -1 when the name servers could not be asked. */
typedef struct { unsigned short priority, weight, port; char target[256]; } bellhop_srv;
static inline int bellhop_srv_query(const char *name, bellhop_srv *out, int room) {
    struct __res_state state;
    memset(&state, 0, sizeof state);
    if (res_ninit(&state) != 0) return -1;
    unsigned char answer[8192];
    int length = res_nquery(&state, name, ns_c_in, ns_t_srv, answer, sizeof answer);
    int why = state.res_h_errno;
    res_nclose(&state);
    if (length < 0) return why == HOST_NOT_FOUND || why == NO_DATA ? 0 : -1;
    if (length > (int)sizeof answer) length = sizeof answer;
    ns_msg message;
    if (ns_initparse(answer, length, &message) != 0) return -1;
    int found = 0;
    for (int i = 0; i < ns_msg_count(message, ns_s_an) && found < room; i++) {
        ns_rr record;
        if (ns_parserr(&message, ns_s_an, i, &record) != 0) break;
        if (ns_rr_type(record) != ns_t_srv || ns_rr_rdlen(record) < 7) continue;
        const unsigned char *d = ns_rr_rdata(record);
        bellhop_srv *s = &out[found];
        s->priority = (unsigned short)(d[0] << 8 | d[1]);
        s->weight = (unsigned short)(d[2] << 8 | d[3]);
        s->port = (unsigned short)(d[4] << 8 | d[5]);
        if (ns_name_uncompress(ns_msg_base(message), ns_msg_end(message), d + 6, s->target, sizeof s->target) < 0) continue;
        found++;
    }
    return found;
}

/* Unix sockets: the address is a structure with the path at its end, and the peer's identity one that glibc shows to
   GNU programs only. The path must be shorter than BELLHOP_LOCAL_PATH_ROOM bytes. */
enum { BELLHOP_LOCAL_PATH_ROOM = sizeof(((struct sockaddr_un *)0)->sun_path) };
static inline int bellhop_local_socket(void) { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }
/* Two ends that are each other's peer, inside this process. */
static inline int bellhop_local_pair(int ends[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends); }
static inline struct sockaddr_un bellhop_local_address(const char *path) {
    struct sockaddr_un address;
    memset(&address, 0, sizeof address);
    address.sun_family = AF_UNIX;
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    return address;
}
static inline int bellhop_local_bind(int fd, const char *path) {
    struct sockaddr_un address = bellhop_local_address(path);
    return bind(fd, (struct sockaddr *)&address, sizeof address);
}
static inline int bellhop_local_connect(int fd, const char *path) {
    struct sockaddr_un address = bellhop_local_address(path);
    return connect(fd, (struct sockaddr *)&address, sizeof address);
}
static inline int bellhop_local_accept(int fd) {
    int accepted = accept(fd, NULL, NULL);
    if (accepted >= 0) {
        fcntl(accepted, F_SETFD, FD_CLOEXEC);
        bellhop_nonblocking(accepted);
    }
    return accepted;
}
/* The user at the other end, or -1. */
static inline long long bellhop_local_peer(int fd) {
    struct { pid_t pid; uid_t uid; gid_t gid; } peer;
    socklen_t length = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 ? (long long)peer.uid : -1;
}
