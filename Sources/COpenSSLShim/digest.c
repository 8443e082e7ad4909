// OpenSSL 3.0's SHA256() looks up the algorithm on every call, which costs more than hashing a short text. SHA256_Init,
// SHA256_Update and SHA256_Final do not, so they are used here, although OpenSSL calls them deprecated.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <string.h>

#include "openssl_shim.h"

// HMAC (RFC 2104) is kept as its inner and outer digest, both of which have already read the key. OpenSSL's EVP_MAC would
// allocate and copy contexts for each message, which costs as much as hashing a short message.
struct oss_hmac {
    SHA256_CTX inner;
    SHA256_CTX outer;
};

int oss_sha256(const uint8_t *message, size_t length, uint8_t digest[OSS_DIGEST_SIZE]) {
    SHA256_CTX context;
    return SHA256_Init(&context) == 1 && SHA256_Update(&context, message, length) == 1 &&
           SHA256_Final(digest, &context) == 1;
}

static int begin(SHA256_CTX *context, const uint8_t key[SHA256_CBLOCK], uint8_t pad) {
    uint8_t block[SHA256_CBLOCK];
    for (size_t i = 0; i < sizeof block; i++) block[i] = key[i] ^ pad;
    int begun = SHA256_Init(context) == 1 && SHA256_Update(context, block, sizeof block) == 1;
    OPENSSL_cleanse(block, sizeof block);
    return begun;
}

oss_hmac *oss_hmac_new(const uint8_t *key, size_t length) {
    oss_hmac *hmac = OPENSSL_zalloc(sizeof *hmac);
    if (hmac == NULL) return NULL;
    uint8_t block[SHA256_CBLOCK] = {0};
    int fits = length <= sizeof block;
    if (fits && length > 0) memcpy(block, key, length);
    int ready = (fits || oss_sha256(key, length, block)) && begin(&hmac->inner, block, 0x36) && begin(&hmac->outer, block, 0x5c);
    OPENSSL_cleanse(block, sizeof block);
    if (ready) return hmac;
    oss_hmac_free(hmac);
    return NULL;
}

void oss_hmac_free(oss_hmac *hmac) { OPENSSL_clear_free(hmac, sizeof *hmac); }

int oss_hmac_code(const oss_hmac *hmac, const uint8_t *message, size_t length, uint8_t code[OSS_DIGEST_SIZE]) {
    SHA256_CTX inner = hmac->inner, outer = hmac->outer;
    int made = SHA256_Update(&inner, message, length) == 1 && SHA256_Final(code, &inner) == 1 &&
               SHA256_Update(&outer, code, OSS_DIGEST_SIZE) == 1 && SHA256_Final(code, &outer) == 1;
    OPENSSL_cleanse(&inner, sizeof inner);
    OPENSSL_cleanse(&outer, sizeof outer);
    return made;
}

int oss_random(uint8_t *out, size_t length) {
    if (RAND_bytes(out, (int)length) == 1) return 1;
    ERR_clear_error();
    return 0;
}

int oss_equal(const uint8_t *left, const uint8_t *right, size_t length) {
    return CRYPTO_memcmp(left, right, length) == 0;
}
