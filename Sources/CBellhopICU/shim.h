#pragma once
#include <arpa/inet.h>
#include <stdbool.h>
#include <unicode/uchar.h>
#include <unicode/uidna.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/usprep.h>

// ICU's functions carry its version in their names, by macros that Swift's importer does not follow. So each one that is
// used has a function here; questions about a character are put the way that PRECIS (RFC 8264 section 9) puts them.

static inline bool bellhop_has_category(UChar32 c, uint32_t mask) { return (U_GET_GC_MASK(c) & mask) != 0; }

static inline bool bellhop_is_unassigned(UChar32 c) {
    return bellhop_has_category(c, U_GC_CN_MASK) && !u_hasBinaryProperty(c, UCHAR_NONCHARACTER_CODE_POINT);
}

static inline bool bellhop_is_noncharacter(UChar32 c) { return u_hasBinaryProperty(c, UCHAR_NONCHARACTER_CODE_POINT); }

static inline bool bellhop_is_control(UChar32 c) { return bellhop_has_category(c, U_GC_CC_MASK); }

static inline bool bellhop_is_space(UChar32 c) { return bellhop_has_category(c, U_GC_ZS_MASK); }

static inline bool bellhop_is_letter_or_digit(UChar32 c) {
    return bellhop_has_category(
        c, U_GC_LL_MASK | U_GC_LU_MASK | U_GC_LO_MASK | U_GC_LM_MASK | U_GC_ND_MASK | U_GC_MN_MASK | U_GC_MC_MASK);
}

static inline bool bellhop_is_join_control(UChar32 c) { return u_hasBinaryProperty(c, UCHAR_JOIN_CONTROL); }

static inline bool bellhop_is_ignorable(UChar32 c) { return u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT); }

static inline bool bellhop_is_old_hangul_jamo(UChar32 c) {
    int32_t type = u_getIntPropertyValue(c, UCHAR_HANGUL_SYLLABLE_TYPE);
    return type == U_HST_LEADING_JAMO || type == U_HST_VOWEL_JAMO || type == U_HST_TRAILING_JAMO;
}

// Whether NFKC changes the character.
static inline bool bellhop_has_compatibility_mapping(UChar32 c) {
    UErrorCode error = U_ZERO_ERROR;
    const UNormalizer2 *nfkc = unorm2_getNFKCInstance(&error);
    UChar text[2];
    int32_t length = 0;
    U16_APPEND_UNSAFE(text, length, c);
    return U_SUCCESS(error) && !unorm2_isNormalized(nfkc, text, length, &error);
}

// The plain form of a fullwidth or halfwidth character; any other character is its own.
static inline UChar32 bellhop_width_mapped(UChar32 c) {
    int32_t type = u_getIntPropertyValue(c, UCHAR_DECOMPOSITION_TYPE);
    if (type != U_DT_WIDE && type != U_DT_NARROW) return c;
    UErrorCode error = U_ZERO_ERROR;
    UChar text[4];
    int32_t length = unorm2_getRawDecomposition(unorm2_getNFKCInstance(&error), c, text, 4, &error);
    if (U_FAILURE(error) || length < 1) return c;
    UChar32 plain = text[0];
    if (length > 1 && U16_IS_LEAD(text[0])) plain = U16_GET_SUPPLEMENTARY(text[0], text[1]);
    return plain;
}

static inline bool bellhop_is_virama(UChar32 c) { return u_getCombiningClass(c) == 9; }

static inline bool bellhop_joins_to_the_right(UChar32 c) {
    int32_t type = u_getIntPropertyValue(c, UCHAR_JOINING_TYPE);
    return type == U_JT_LEFT_JOINING || type == U_JT_DUAL_JOINING;
}

static inline bool bellhop_joins_to_the_left(UChar32 c) {
    int32_t type = u_getIntPropertyValue(c, UCHAR_JOINING_TYPE);
    return type == U_JT_RIGHT_JOINING || type == U_JT_DUAL_JOINING;
}

static inline bool bellhop_joins_through(UChar32 c) {
    return u_getIntPropertyValue(c, UCHAR_JOINING_TYPE) == U_JT_TRANSPARENT;
}

static inline bool bellhop_is_script(UChar32 c, UScriptCode script) {
    UErrorCode error = U_ZERO_ERROR;
    return uscript_getScript(c, &error) == script && U_SUCCESS(error);
}

static inline bool bellhop_is_greek(UChar32 c) { return bellhop_is_script(c, USCRIPT_GREEK); }

static inline bool bellhop_is_hebrew(UChar32 c) { return bellhop_is_script(c, USCRIPT_HEBREW); }

static inline bool bellhop_is_kana_or_han(UChar32 c) {
    return bellhop_is_script(c, USCRIPT_HIRAGANA) || bellhop_is_script(c, USCRIPT_KATAKANA) ||
           bellhop_is_script(c, USCRIPT_HAN);
}

static inline uint32_t bellhop_bidi_class(UChar32 c) { return (uint32_t)u_charDirection(c); }

static inline bool bellhop_is_wide(UChar32 c) {
    int32_t width = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
    return width == U_EA_WIDE || width == U_EA_FULLWIDTH;
}

// Each of the following writes up to `capacity` units and returns how many it needs.

static inline int32_t bellhop_nfc(const UChar *text, int32_t length, UChar *out, int32_t capacity, UErrorCode *error) {
    return unorm2_normalize(unorm2_getNFCInstance(error), text, length, out, capacity, error);
}

static inline UStringPrepProfile *bellhop_open_saslprep(void) {
    UErrorCode error = U_ZERO_ERROR;
    return usprep_openByType(USPREP_RFC4013_SASLPREP, &error);
}

static inline int32_t bellhop_saslprep(const UStringPrepProfile *profile, const UChar *text, int32_t length, UChar *out,
                                       int32_t capacity, UParseError *place, UErrorCode *error) {
    return usprep_prepare(profile, text, length, out, capacity, USPREP_ALLOW_UNASSIGNED, place, error);
}

static inline UIDNA *bellhop_open_idna(void) {
    UErrorCode error = U_ZERO_ERROR;
    return uidna_openUTS46(UIDNA_USE_STD3_RULES | UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_CHECK_CONTEXTO |
                               UIDNA_NONTRANSITIONAL_TO_ASCII | UIDNA_NONTRANSITIONAL_TO_UNICODE,
                           &error);
}

static inline int32_t bellhop_idna_to_ascii(const UIDNA *idna, const UChar *text, int32_t length, UChar *out,
                                            int32_t capacity, uint32_t *faults, UErrorCode *error) {
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    int32_t needed = uidna_nameToASCII(idna, text, length, out, capacity, &info, error);
    *faults = info.errors;
    return needed;
}

static inline int32_t bellhop_idna_to_unicode(const UIDNA *idna, const UChar *text, int32_t length, UChar *out,
                                              int32_t capacity, uint32_t *faults, UErrorCode *error) {
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    int32_t needed = uidna_nameToUnicode(idna, text, length, out, capacity, &info, error);
    *faults = info.errors;
    return needed;
}

// Writes the usual spelling of an IPv6 address; false when the text is none.
static inline bool bellhop_ipv6_spelling(const char *text, char spelling[INET6_ADDRSTRLEN]) {
    struct in6_addr address;
    return inet_pton(AF_INET6, text, &address) == 1 &&
           inet_ntop(AF_INET6, &address, spelling, INET6_ADDRSTRLEN) != NULL;
}
