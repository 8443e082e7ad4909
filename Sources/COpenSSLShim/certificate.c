#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <string.h>
#include <time.h>

#include "openssl_shim.h"

enum { CHAIN_LENGTH = 3, PUBLIC_KEY_CAPACITY = 128, MINIMUM_RSA_BITS = 2048 };

struct oss_certificate {
    X509 *x509;
    oss_validity validity;
};

static int read_seconds(const ASN1_TIME *time, int64_t *seconds) {
    struct tm parts;
    if (time == NULL || ASN1_TIME_to_tm(time, &parts) != 1) return 0;
    *seconds = (int64_t)timegm(&parts);
    return 1;
}

oss_certificate *oss_certificate_read(const uint8_t *der, size_t length) {
    if (length == 0 || length > OSS_CERTIFICATE_CAPACITY) return NULL;
    oss_certificate *certificate = OPENSSL_zalloc(sizeof *certificate);
    if (certificate == NULL) return NULL;
    const uint8_t *cursor = der;
    X509 *x509 = certificate->x509 = d2i_X509(NULL, &cursor, (long)length);
    // X509_check_purpose decodes the extensions and stores them in the certificate. Nothing changes the certificate after that,
    // so any number of threads may read it.
    int usable = x509 != NULL && cursor == der + length && X509_check_purpose(x509, -1, -1) == 1 &&
                 read_seconds(X509_get0_notBefore(x509), &certificate->validity.not_before) &&
                 read_seconds(X509_get0_notAfter(x509), &certificate->validity.not_after);
    ERR_clear_error();
    if (usable) return certificate;
    oss_certificate_free(certificate);
    return NULL;
}

void oss_certificate_free(oss_certificate *certificate) {
    if (certificate == NULL) return;
    X509_free(certificate->x509);
    OPENSSL_free(certificate);
}

oss_validity oss_certificate_validity(const oss_certificate *certificate) { return certificate->validity; }

int oss_certificate_has_extension(const oss_certificate *certificate, const char *oid) {
    ASN1_OBJECT *object = OBJ_txt2obj(oid, 1);
    int present = object != NULL && X509_get_ext_by_OBJ(certificate->x509, object, -1) >= 0;
    ASN1_OBJECT_free(object);
    ERR_clear_error();
    return present;
}

static oss_certificate_key key_kind(const X509 *x509) {
    EVP_PKEY *pkey = X509_get0_pubkey(x509);
    char group[64];
    if (pkey == NULL || !EVP_PKEY_is_a(pkey, "EC")) return OSS_CERTIFICATE_KEY_OTHER;
    if (EVP_PKEY_get_group_name(pkey, group, sizeof group, NULL) != 1) return OSS_CERTIFICATE_KEY_OTHER;
    if (strcmp(group, "prime256v1") == 0) return OSS_CERTIFICATE_KEY_P256;
    return strcmp(group, "secp384r1") == 0 ? OSS_CERTIFICATE_KEY_P384 : OSS_CERTIFICATE_KEY_OTHER;
}

oss_certificate_key oss_certificate_key_kind(const oss_certificate *certificate) {
    oss_certificate_key kind = key_kind(certificate->x509);
    ERR_clear_error();
    return kind;
}

int oss_certificate_issued(const oss_certificate *issuer, const oss_certificate *certificate) {
    int issued = X509_check_issued(issuer->x509, certificate->x509) == X509_V_OK;
    ERR_clear_error();
    return issued;
}

oss_key *oss_certificate_public_key(const oss_certificate *certificate) {
    uint8_t der[PUBLIC_KEY_CAPACITY];
    uint8_t *cursor = der;
    X509_PUBKEY *encoded = X509_get_X509_PUBKEY(certificate->x509);
    int length = i2d_X509_PUBKEY(encoded, NULL);
    int fits = length > 0 && (size_t)length <= sizeof der && i2d_X509_PUBKEY(encoded, &cursor) == length;
    ERR_clear_error();
    return fits ? oss_key_read_public(der, (size_t)length) : NULL;
}

// Chains ----------------------------------------------------------------------------------------------------------

// `depth` says at which certificate verification failed: 0 is the leaf, and 1 is the intermediate.
static oss_chain_status status_of_error(int error, int depth) {
    switch (error) {
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_CERT_SIGNATURE_FAILURE:
        return depth == 0 ? OSS_CHAIN_BROKEN : OSS_CHAIN_UNTRUSTED;
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_CERT_UNTRUSTED:
    case X509_V_ERR_CERT_REJECTED:
        return OSS_CHAIN_UNTRUSTED;
    case X509_V_ERR_EE_KEY_TOO_SMALL:
    case X509_V_ERR_CA_KEY_TOO_SMALL:
    case X509_V_ERR_EC_KEY_EXPLICIT_PARAMS:
        return OSS_CHAIN_KEY_UNSUPPORTED;
    case X509_V_ERR_OUT_OF_MEM:
    case X509_V_ERR_UNSPECIFIED:
        return OSS_CHAIN_FAILED;
    default:
        return OSS_CHAIN_BROKEN;
    }
}

static int has_key_of(oss_chain_kind kind, const X509 *x509, int is_leaf) {
    if (kind == OSS_CHAIN_OF_RSA) {
        EVP_PKEY *pkey = X509_get0_pubkey(x509);
        return pkey != NULL && EVP_PKEY_is_a(pkey, "RSA") && EVP_PKEY_get_bits(pkey) >= MINIMUM_RSA_BITS;
    }
    oss_certificate_key found = key_kind(x509);
    return is_leaf ? found == OSS_CERTIFICATE_KEY_P256 : found != OSS_CERTIFICATE_KEY_OTHER;
}

// The path that OpenSSL has found must consist of the leaf, exactly this intermediate, and a root. A path that leaves out the
// intermediate is refused.
static oss_chain_status status_of_path(STACK_OF(X509) *path, X509 *intermediate, oss_chain_kind kind) {
    if (sk_X509_num(path) != CHAIN_LENGTH || X509_cmp(sk_X509_value(path, 1), intermediate) != 0) return OSS_CHAIN_BROKEN;
    for (int i = 0; i < CHAIN_LENGTH; i++) {
        if (!has_key_of(kind, sk_X509_value(path, i), i == 0)) return OSS_CHAIN_KEY_UNSUPPORTED;
    }
    return OSS_CHAIN_OK;
}

// Receipts never expire, and for years Apple signed them, and the certificates for them, with SHA-1. OpenSSL accepts SHA-1 at
// security level 0 only. That is safe here. Only Apple chooses what Apple signs, so a forger would need a second preimage of a
// signed text. Known attacks on SHA-1 find collisions only.
static int security_level(oss_chain_kind kind) { return kind == OSS_CHAIN_OF_RSA ? 0 : 2; }

static STACK_OF(X509) *stack_of(X509 *x509) {
    STACK_OF(X509) *stack = sk_X509_new_null();
    if (stack != NULL && sk_X509_push(stack, x509) > 0) return stack;
    sk_X509_free(stack);
    return NULL;
}

// Verifies signatures, names and constraints, but not the time. The caller checks the time, because it has to do that for cached
// chains, too.
static oss_chain_status verify_path(X509 *leaf, X509 *intermediate, X509 *root, oss_chain_kind kind) {
    oss_chain_status status = OSS_CHAIN_FAILED;
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    STACK_OF(X509) *untrusted = stack_of(intermediate);
    STACK_OF(X509) *trusted = stack_of(root);
    if (context != NULL && untrusted != NULL && trusted != NULL &&
        X509_STORE_CTX_init(context, NULL, leaf, untrusted) == 1) {
        X509_VERIFY_PARAM *parameters = X509_STORE_CTX_get0_param(context);
        X509_VERIFY_PARAM_set_auth_level(parameters, security_level(kind));
        X509_STORE_CTX_set0_trusted_stack(context, trusted);
        if (X509_VERIFY_PARAM_set_flags(parameters, X509_V_FLAG_NO_CHECK_TIME) == 1) {
            int verified = X509_verify_cert(context);
            status = verified == 1
                         ? status_of_path(X509_STORE_CTX_get0_chain(context), intermediate, kind)
                         : status_of_error(X509_STORE_CTX_get_error(context), X509_STORE_CTX_get_error_depth(context));
        }
    }
    X509_STORE_CTX_free(context);
    sk_X509_free(untrusted);
    sk_X509_free(trusted);
    return status;
}

static oss_validity intersection(oss_validity one, oss_validity other) {
    oss_validity both = {
        one.not_before > other.not_before ? one.not_before : other.not_before,
        one.not_after < other.not_after ? one.not_after : other.not_after,
    };
    return both;
}

static oss_chain_status status_at(int64_t at, oss_validity validity) {
    if (at > validity.not_after) return OSS_CHAIN_EXPIRED;
    return at < validity.not_before ? OSS_CHAIN_NOT_YET_VALID : OSS_CHAIN_OK;
}

oss_chain_status oss_chain_verify(const oss_certificate *leaf, const oss_certificate *intermediate,
                                  const oss_certificate *const *roots, size_t root_count, oss_chain_kind kind, int64_t at,
                                  oss_validity *validity) {
    oss_chain_status best = OSS_CHAIN_UNTRUSTED;
    oss_validity below = intersection(leaf->validity, intermediate->validity);
    // Each root is tried alone. If several roots have the same name, OpenSSL would only try the first of them.
    for (size_t i = 0; i < root_count && best != OSS_CHAIN_OK; i++) {
        oss_chain_status status = verify_path(leaf->x509, intermediate->x509, roots[i]->x509, kind);
        oss_validity window = intersection(below, roots[i]->validity);
        if (status == OSS_CHAIN_OK) status = status_at(at, window);
        if (status == OSS_CHAIN_OK) *validity = window;
        if (status < best) best = status;
    }
    ERR_clear_error();
    return best;
}
