# Sourced by the server scripts beside this file: what every private server instance has in common.
# An instance lives in one directory: configuration, certificates, data, log, and `env` with the facts about it.
# The scripts set and use some of the variables here, which shellcheck cannot see.
# shellcheck shell=bash disable=SC2034,SC2154

readonly instance_host=127.0.0.1
readonly patience=600        # tenths of a second that a server may take to start or to stop

instance_fail() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

instance_usage() {
    cat >&2 <<USAGE
usage: $(basename "$0") start --dir DIR [option...]     a private instance on 127.0.0.1, data and certificates in DIR
       $(basename "$0") stop --dir DIR [--kill]         ends it (--kill: without a goodbye) and waits until it is gone
       $(basename "$0") restart --dir DIR               the same instance again: same port, same data
options of start:
  --port N              instead of a free port
  --domain NAME         the XMPP domain, also in the certificate (localhost)
  --hash HASH           SHA-1, SHA-256 or SHA-512: the SCRAM that it offers
  --only-plain          offers PLAIN and no SCRAM
  --only-legacy-auth    offers jabber:iq:auth and no SASL mechanism
  --tls12               TLS 1.2 at most
  --no-tls              offers no encryption at all
  --no-registration     refuses in-band registration
  --rate BYTES          lets each client send so many bytes a second
  --stanza-size BYTES   the largest stanza that it takes
  --direct-tls          takes connections that begin with TLS, too, on a port of their own
  --component NAME      lets a component of this domain connect, on a port and with a secret of its own
DIR/env holds SERVER, HOST, PORT, DIRECT_PORT, DOMAIN, CA, CERTIFICATE, KEY, PID, LOG, CONFIG, COMPONENT, COMPONENT_PORT and
COMPONENT_SECRET, one KEY=value a line.
USAGE
    exit 64
}

# Sets verb, dir and the options from the command line.
instance_parse() {
    verb=${1:-}
    case $verb in
    start | stop | restart) shift ;;
    *) instance_usage ;;
    esac
    dir='' port='' domain=localhost hash='' tls=full registration=yes rate='' stanza_size='' kill_signal=TERM
    only_plain='' only_legacy='' direct_tls='' direct_port='' component='' component_port='' component_secret=''
    while [ $# -gt 0 ]; do
        case $1 in
        --only-plain) only_plain=yes ;;
        --only-legacy-auth) only_legacy=yes ;;
        --tls12) tls=1.2 ;;
        --direct-tls) direct_tls=yes ;;
        --no-tls) tls=none ;;
        --no-registration) registration=no ;;
        --kill) kill_signal=KILL ;;
        --dir | --port | --domain | --hash | --rate | --stanza-size | --component)
            [ $# -ge 2 ] || instance_usage
            case $1 in
            --dir) dir=$2 ;;
            --port) port=$2 ;;
            --domain) domain=$2 ;;
            --hash) hash=$2 ;;
            --rate) rate=$2 ;;
            --stanza-size) stanza_size=$2 ;;
            --component) component=$2 ;;
            esac
            shift
            ;;
        *) instance_usage ;;
        esac
        shift
    done
    [ -n "$dir" ] || instance_usage
    case $hash in
    '' | SHA-1 | SHA-256 | SHA-512) ;;
    *) instance_fail "--hash is SHA-1, SHA-256 or SHA-512, not '$hash'" ;;
    esac
    case $port$rate$stanza_size in
    *[!0-9]*) instance_fail "--port, --rate and --stanza-size are numbers" ;;
    esac
    case $domain in
    '' | *[!A-Za-z0-9.-]*) instance_fail "--domain is a host name in ASCII, not '$domain'" ;;
    esac
    case $component in
    *[!A-Za-z0-9.-]*) instance_fail "--component is a host name in ASCII, not '$component'" ;;
    esac
    if [ "$verb" = start ]; then mkdir -p "$dir"; fi
    [ -d "$dir" ] || instance_fail "there is no directory $dir"
    dir=$(readlink -f "$dir")
    case $dir in
    *[\"\'\\]* | *$'\n'*) instance_fail "the directory's name has a quote or a backslash in it: $dir" ;;
    esac
}

# A throw-away certificate authority and a certificate for the domain. The authority's key is not kept.
instance_certificates() {
    [ -e "$dir/ca.pem" ] && return 0
    (
        umask 077
        cd "$dir" || exit
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -sha256 -days 30 \
            -subj "/CN=Throw-away authority of $domain" -keyout ca.key -out ca.new \
            -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign
        openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -sha256 \
            -subj "/CN=$domain" -keyout server.key -out server.csr
        printf '%s\n' "subjectAltName=DNS:$domain" basicConstraints=critical,CA:FALSE \
            keyUsage=critical,digitalSignature extendedKeyUsage=serverAuth >server.ext
        openssl x509 -req -in server.csr -CA ca.new -CAkey ca.key -CAcreateserial -days 30 -sha256 \
            -extfile server.ext -out server.pem
        rm -f ca.key ca.srl server.csr server.ext
        mv ca.new ca.pem
    ) >"$dir/openssl.log" 2>&1 || instance_fail "openssl made no certificates; see $dir/openssl.log"
}

# A port that nobody listens on now, below the range that the kernel hands to outgoing connections.
instance_free_port() {
    local candidate taken
    taken=" $(awk 'FNR > 1 { split($2, address, ":"); printf "%s ", address[2] }' /proc/net/tcp /proc/net/tcp6 2>/dev/null) "
    while :; do
        candidate=$((20000 + (RANDOM * 32768 + RANDOM) % 12000))
        case $taken in
        *" $(printf '%04X' "$candidate") "*) ;;
        *) echo "$candidate" && return ;;
        esac
    done
}

# The processes of the instance: the server and whatever it started. The environment marks them.
instance_processes() {
    grep -lsxzF "BELLHOP_INSTANCE=$dir" /proc/[0-9]*/environ | cut -d/ -f3 || true
}

instance_alive() { [ -n "$(instance_processes)" ]; }

# Whether the process $1 itself listens on $2; answers from another server on that port do not count.
instance_listens() {
    local wanted sockets
    wanted=$(printf '0100007F:%04X' "$2")
    sockets=$(awk -v address="$wanted" '$2 == address && $4 == "0A" { print "socket:[" $10 "]" }' /proc/net/tcp)
    [ -n "$sockets" ] || return 1
    find "/proc/$1/fd" -type l -printf '%l\n' 2>/dev/null | grep -qxF "$sockets"
}

instance_write_env() {
    printf '%s\n' "SERVER=$(basename "$0")" "HOST=$instance_host" "PORT=$port" "DIRECT_PORT=$direct_port" "DOMAIN=$domain" "CA=$dir/ca.pem" \
        "CERTIFICATE=$dir/server.pem" "KEY=$dir/server.key" "PID=$1" "LOG=$dir/server.log" "CONFIG=$config" \
        "COMPONENT=$component" "COMPONENT_PORT=$component_port" "COMPONENT_SECRET=$component_secret" >"$dir/env.new"
    mv "$dir/env.new" "$dir/env"
}

# Runs the command as the instance's server, detached from the caller, and waits until it listens.
# Returns 1 when it ended or another process has the port.
instance_launch() {
    local pid tenth
    if [ -e "$dir/server.log" ]; then mv "$dir/server.log" "$dir/server.log.before"; fi
    : >"$dir/server.log"
    (
        # The caller's pipes and locks are not for a server that outlives it.
        for descriptor in "/proc/$BASHPID/fd"/*; do
            descriptor=${descriptor##*/}
            if [ "$descriptor" -gt 2 ]; then eval "exec $descriptor>&-" 2>/dev/null || true; fi
        done
        cd "$dir" || exit
        exec env BELLHOP_INSTANCE="$dir" HOME="$dir" setsid "$@" </dev/null >>"$dir/server.out" 2>&1
    ) &
    pid=$!
    for ((tenth = 0; tenth < patience; tenth++)); do
        if instance_listens "$pid" "$port" && instance_ready; then
            instance_write_env "$pid"
            return 0
        fi
        if ! kill -0 "$pid" 2>/dev/null; then return 1; fi
        if instance_port_lost; then break; fi
        sleep 0.1
    done
    instance_end KILL
    return 1
}

# What each server script brings: the functions `write_config`, `instance_ready` (does it take connections?) and
# `instance_port_lost` (has another process the port?), the file `config` and the array `command_line`.
instance_start() {
    local attempt wanted=$port
    if instance_alive; then instance_fail "an instance in $dir is running already"; fi
    instance_certificates
    for attempt in 1 2 3 4 5; do
        port=${wanted:-$(instance_free_port)}
        if [ -n "$direct_tls" ]; then direct_port=$(instance_free_port); fi
        if [ -n "$component" ]; then
            component_port=$(instance_free_port)
            component_secret=$(od -An -N12 -tx1 /dev/urandom | tr -d ' \n')
        fi
        write_config
        if instance_launch "${command_line[@]}"; then
            cat "$dir/env"
            return 0
        fi
        if [ -n "$wanted" ] || ! instance_port_lost; then break; fi
    done
    tail -n 20 "$dir/server.log" "$dir/server.out" >&2 || true
    instance_fail "it did not start on $instance_host:$port (attempt $attempt); the log is $dir/server.log"
}

instance_restart() {
    local key value
    [ -e "$dir/env" ] || instance_fail "there was no instance in $dir"
    while IFS='=' read -r key value; do
        case $key in
        PORT) port=$value ;;
        DIRECT_PORT) direct_port=$value ;;
        DOMAIN) domain=$value ;;
        CONFIG) config=$value ;;
        COMPONENT) component=$value ;;
        COMPONENT_PORT) component_port=$value ;;
        COMPONENT_SECRET) component_secret=$value ;;
        esac
    done <"$dir/env"
    instance_end "$kill_signal"
    instance_launch "${command_line[@]}" || instance_fail "it did not start again; the log is $dir/server.log"
    cat "$dir/env"
}

# Ends every process of the instance and returns when the last one is gone.
instance_end() {
    local signal=$1 tenth main=''
    if [ -e "$dir/env" ]; then main=$(awk -F= '$1 == "PID" { print $2 }' "$dir/env"); fi
    for ((tenth = 0; tenth < patience; tenth++)); do
        local processes
        processes=$(instance_processes)
        [ -n "$processes" ] || return 0
        # The server ends its own children; only when it is gone are those that are left ended here.
        if [ "$signal" = TERM ] && grep -qx "$main" <<<"$processes"; then
            if [ "$tenth" -eq 0 ]; then kill -TERM "$main" 2>/dev/null || true; fi
            if [ "$tenth" -eq 100 ]; then signal=KILL; fi
        else
            # shellcheck disable=SC2086
            kill -KILL $processes 2>/dev/null || true
        fi
        sleep 0.1
    done
    instance_fail "processes of $dir do not end: $(instance_processes | tr '\n' ' ')"
}

instance_main() {
    case $verb in
    start) instance_start ;;
    restart) instance_restart ;;
    stop) instance_end "$kill_signal" ;;
    esac
}
