// The one-shot SHA256() of OpenSSL 3.0 looks its algorithm up on every call, which costs more than hashing a short text;
// the plain functions do not, but count as deprecated.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include "openssl_shim.h"

struct oss_hmac {
    EVP_MAC *algorithm;
    EVP_MAC_CTX *context;
};

int oss_sha256(const uint8_t *message, size_t length, uint8_t digest[OSS_DIGEST_SIZE]) {
    SHA256_CTX context;
    return SHA256_Init(&context) == 1 && SHA256_Update(&context, message, length) == 1 &&
           SHA256_Final(digest, &context) == 1;
}

oss_hmac *oss_hmac_new(const uint8_t *key, size_t length) {
    oss_hmac *hmac = OPENSSL_zalloc(sizeof *hmac);
    if (hmac == NULL) return NULL;
    OSSL_PARAM parameters[] = {OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_DIGEST, "SHA256", 0), OSSL_PARAM_END};
    hmac->algorithm = EVP_MAC_fetch(NULL, "HMAC", NULL);
    hmac->context = hmac->algorithm != NULL ? EVP_MAC_CTX_new(hmac->algorithm) : NULL;
    if (hmac->context != NULL && EVP_MAC_init(hmac->context, key, length, parameters) == 1) return hmac;
    ERR_clear_error();
    oss_hmac_free(hmac);
    return NULL;
}

void oss_hmac_free(oss_hmac *hmac) {
    if (hmac == NULL) return;
    EVP_MAC_CTX_free(hmac->context);
    EVP_MAC_free(hmac->algorithm);
    OPENSSL_free(hmac);
}

int oss_hmac_code(oss_hmac *hmac, const uint8_t *message, size_t length, uint8_t code[OSS_DIGEST_SIZE]) {
    size_t written = 0;
    // No key given: the one of `oss_hmac_new` stays, already expanded.
    int made = EVP_MAC_init(hmac->context, NULL, 0, NULL) == 1 && EVP_MAC_update(hmac->context, message, length) == 1 &&
               EVP_MAC_final(hmac->context, code, &written, OSS_DIGEST_SIZE) == 1 && written == OSS_DIGEST_SIZE;
    if (!made) ERR_clear_error();
    return made;
}

int oss_random(uint8_t *out, size_t length) { return RAND_bytes(out, (int)length) == 1; }

int oss_equal(const uint8_t *left, const uint8_t *right, size_t length) {
    return CRYPTO_memcmp(left, right, length) == 0;
}

size_t oss_base64(const uint8_t *bytes, size_t length, uint8_t *out) {
    return (size_t)EVP_EncodeBlock(out, bytes, (int)length);
}
