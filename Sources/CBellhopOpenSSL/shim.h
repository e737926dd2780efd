#pragma once
#include <arpa/inet.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// Macros and stack accessors that Swift's importer cannot see, as functions of the same meaning.

static inline int bellhop_ctx_set_versions(SSL_CTX *ctx, int lowest, int highest) {
    return SSL_CTX_set_min_proto_version(ctx, lowest) == 1 && SSL_CTX_set_max_proto_version(ctx, highest) == 1;
}

// A key that wants a password is refused; OpenSSL would ask for it on the terminal.
static inline int bellhop_no_password(char *text, int size, int writing, void *context) {
    (void)text, (void)size, (void)writing, (void)context;
    return -1;
}

static inline void bellhop_ctx_ask_no_password(SSL_CTX *ctx) { SSL_CTX_set_default_passwd_cb(ctx, bellhop_no_password); }

/* Notes in the session that the server asks for our certificate, which is shown then. */
static inline int bellhop_note_certificate_asked(SSL *ssl, void *context) {
    (void)context;
    SSL_set_app_data(ssl, ssl);
    return 1;
}
static inline void bellhop_ctx_note_certificate_asked(SSL_CTX *ctx) { SSL_CTX_set_cert_cb(ctx, bellhop_note_certificate_asked, NULL); }
static inline int bellhop_is_certificate_asked(const SSL *ssl) { return SSL_get_app_data(ssl) != NULL; }

static inline void bellhop_ctx_set_mode(SSL_CTX *ctx, long mode) { SSL_CTX_set_mode(ctx, mode); }

static inline void bellhop_ctx_set_session_cache_off(SSL_CTX *ctx) {
    SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
}

static inline int bellhop_set_server_name(SSL *ssl, const char *name) {
    return (int)SSL_set_tlsext_host_name(ssl, name);
}

// Demands a key by the SHA-256 of its SubjectPublicKeyInfo (RFC 7671: selector 1, matching type 1). With authorities the chain counts
// too (usage 1, PKIX-EE), else nothing but the key (usage 3, DANE-EE). OpenSSL keeps its names of these numbers to itself.
static inline int bellhop_demand_key(SSL *ssl, int authorities_count, const unsigned char *digest, size_t length) {
    return SSL_dane_tlsa_add(ssl, authorities_count ? 1 : 3, 1, 1, digest, length) == 1;
}

static inline uint64_t bellhop_options(void) {
    return SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET | SSL_OP_NO_COMPRESSION;
}

static inline uint64_t bellhop_no_extended_master_secret(void) { return SSL_OP_NO_EXTENDED_MASTER_SECRET; }

static inline int bellhop_extended_master_secret(SSL *ssl) { return SSL_get_extms_support(ssl) == 1; }

static inline const EVP_MD *bellhop_digest(int nid) { return EVP_get_digestbynid(nid); }

static inline size_t bellhop_bio_pending(BIO *bio) { return BIO_ctrl_pending(bio); }

static inline X509 *bellhop_chain_first(STACK_OF(X509) *chain) {
    return chain != NULL && sk_X509_num(chain) > 0 ? sk_X509_value(chain, 0) : NULL;
}

static inline GENERAL_NAMES *bellhop_alternative_names(const X509 *certificate) {
    return (GENERAL_NAMES *)X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
}

static inline int bellhop_names_count(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }

// The bytes of a dNSName or an iPAddress; NULL for any other kind of name.
static inline const unsigned char *bellhop_name_bytes(const GENERAL_NAMES *names, int index, int *is_address, int *length) {
    const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
    if (name == NULL || (name->type != GEN_DNS && name->type != GEN_IPADD)) return NULL;
    const ASN1_STRING *text = name->type == GEN_DNS ? name->d.dNSName : name->d.iPAddress;
    *is_address = name->type == GEN_IPADD;
    *length = ASN1_STRING_length(text);
    return ASN1_STRING_get0_data(text);
}

// The text of an XMPP address (RFC 6120 section 13.7.1.4); NULL for any other kind of name.
static inline const unsigned char *bellhop_name_xmpp(const GENERAL_NAMES *names, int index, int *length) {
    const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
    if (name == NULL || name->type != GEN_OTHERNAME) return NULL;
    if (OBJ_obj2nid(name->d.otherName->type_id) != NID_XmppAddr) return NULL;
    const ASN1_TYPE *value = name->d.otherName->value;
    if (value == NULL || value->type != V_ASN1_UTF8STRING) return NULL;
    *length = ASN1_STRING_length(value->value.utf8string);
    return ASN1_STRING_get0_data(value->value.utf8string);
}

// Writes a packed IPv4 (4 bytes) or IPv6 (16 bytes) address as text; 0 when the length is neither.
static inline int bellhop_address_text(const unsigned char *bytes, int length, char text[INET6_ADDRSTRLEN]) {
    if (length != 4 && length != 16) return 0;
    return inet_ntop(length == 4 ? AF_INET : AF_INET6, bytes, text, INET6_ADDRSTRLEN) != NULL;
}
