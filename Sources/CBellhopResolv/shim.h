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

/* A socket that has a port of 127.0.0.1 and does not listen; port 0 takes a free one. Others of ours may have the same port beside it. */
static inline int bellhop_hold_port(unsigned short port) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1;
    if (fd < 0) return -1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
    close(fd);
    return -1;
}
static inline int bellhop_listen(unsigned short port) {
    int fd = bellhop_hold_port(port);
    if (fd < 0 || listen(fd, 64) == 0) return fd;
    close(fd);
    return -1;
}
static inline int bellhop_port(int fd) {
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    return getsockname(fd, (struct sockaddr *)&address, &length) == 0 ? ntohs(address.sin_port) : -1;
}
/* glibc shows it to GNU programs only. Marked and not blocking from the first moment on: a program that is started right then would
   inherit the connection, which then never ends for the other side. */
extern int bellhop_accept4(int fd, struct sockaddr *address, socklen_t *length, int flags) __asm__("accept4");
static inline int bellhop_accept(int fd) { return bellhop_accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

/* An address without its port: 4 bytes of IPv4 or 16 of IPv6, and the interface of a link-local one. */
typedef struct { unsigned char is_v6, bytes[16]; unsigned scope; } bellhop_address;
static inline socklen_t bellhop_socket_address(const bellhop_address *a, unsigned short port, struct sockaddr_storage *out) {
    memset(out, 0, sizeof *out);
    if (a->is_v6) {
        struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)out;
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons(port);
        v6->sin6_scope_id = a->scope;
        memcpy(&v6->sin6_addr, a->bytes, 16);
        return sizeof *v6;
    }
    struct sockaddr_in *v4 = (struct sockaddr_in *)out;
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    memcpy(&v4->sin_addr, a->bytes, 4);
    return sizeof *v4;
}
static inline int bellhop_connect(int fd, const bellhop_address *a, unsigned short port) {
    struct sockaddr_storage storage;
    socklen_t length = bellhop_socket_address(a, port, &storage);
    return connect(fd, (struct sockaddr *)&storage, length);
}
/* Like 2001:db8::1 or fe80::1%eth0. */
static inline int bellhop_address_text(const bellhop_address *a, char *out, int size) {
    struct sockaddr_storage storage;
    socklen_t length = bellhop_socket_address(a, 0, &storage);
    return getnameinfo((struct sockaddr *)&storage, length, out, (socklen_t)size, NULL, 0, NI_NUMERICHOST);
}
/* What getaddrinfo says of a host, in its order; returns its code. `numeric` asks nobody. */
static inline int bellhop_addresses(const char *host, int numeric, bellhop_address *out, int room, int *found) {
    struct addrinfo hints, *first = NULL;
    memset(&hints, 0, sizeof hints);
    hints.ai_socktype = SOCK_STREAM;
    if (numeric) hints.ai_flags = AI_NUMERICHOST;
    *found = 0;
    int code = getaddrinfo(host, NULL, &hints, &first);
    if (code != 0) return code;
    for (struct addrinfo *a = first; a && *found < room; a = a->ai_next) {
        bellhop_address *entry = &out[*found];
        memset(entry, 0, sizeof *entry);
        if (a->ai_family == AF_INET6) {
            const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)a->ai_addr;
            entry->is_v6 = 1;
            entry->scope = v6->sin6_scope_id;
            memcpy(entry->bytes, &v6->sin6_addr, 16);
        } else if (a->ai_family == AF_INET) {
            memcpy(entry->bytes, &((const struct sockaddr_in *)a->ai_addr)->sin_addr, 4);
        } else {
            continue;
        }
        ++*found;
    }
    freeaddrinfo(first);
    return 0;
}

/* Asks the system's name servers for exactly this name. Returns the length of the answer message, 0 for "no such name"
   or "no such record", -1 when nobody answered, and -2 when the name servers refused. */
static inline int bellhop_query(const char *name, int type, unsigned char *out, int room) {
    struct __res_state state;
    memset(&state, 0, sizeof state);
    if (res_ninit(&state) != 0) return -1;
    int length = res_nquery(&state, name, ns_c_in, type, out, room);
    int why = state.res_h_errno;
    res_nclose(&state);
    if (length >= 0) return length > room ? room : length;
    if (why == HOST_NOT_FOUND || why == NO_DATA) return 0;
    return why == TRY_AGAIN ? -1 : -2;
}

static inline int bellhop_datagram_socket(int family) { return socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }
/* Datagrams on 127.0.0.1, for name servers in tests. */
static inline int bellhop_bind_datagrams(unsigned short port) {
    int fd = bellhop_datagram_socket(AF_INET);
    if (fd < 0) return -1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
    close(fd);
    return -1;
}
static inline long bellhop_receive_datagram(int fd, unsigned char *out, size_t room, unsigned short *port) {
    struct sockaddr_in sender;
    socklen_t length = sizeof sender;
    long count = recvfrom(fd, out, room, 0, (struct sockaddr *)&sender, &length);
    if (count >= 0) *port = ntohs(sender.sin_port);
    return count;
}
static inline long bellhop_send_datagram(int fd, const unsigned char *bytes, size_t count, unsigned short port) {
    struct sockaddr_in peer = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return sendto(fd, bytes, count, MSG_NOSIGNAL, (struct sockaddr *)&peer, sizeof peer);
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
static inline int bellhop_local_accept(int fd) { return bellhop_accept(fd); }
/* The user at the other end, or -1. */
static inline long long bellhop_local_peer(int fd) {
    struct { pid_t pid; uid_t uid; gid_t gid; } peer;
    socklen_t length = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 ? (long long)peer.uid : -1;
}
