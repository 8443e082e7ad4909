#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <string.h>

#include "openssl_shim.h"

struct oss_ed25519 {
    EVP_PKEY *pkey;
};

// A callback that returns no passphrase. Without it, OpenSSL would ask for one at the terminal.
static int no_passphrase(char *buffer, int capacity, int for_writing, void *context) {
    (void)buffer, (void)capacity, (void)for_writing, (void)context;
    return -1;
}

static oss_ed25519 *wrap(EVP_PKEY *pkey) {
    oss_ed25519 *key = pkey != NULL && EVP_PKEY_is_a(pkey, "ED25519") ? OPENSSL_zalloc(sizeof *key) : NULL;
    ERR_clear_error();
    if (key == NULL) {
        EVP_PKEY_free(pkey);
        return NULL;
    }
    key->pkey = pkey;
    return key;
}

oss_ed25519 *oss_ed25519_generate(void) { return wrap(EVP_PKEY_Q_keygen(NULL, NULL, "ED25519")); }

oss_ed25519 *oss_ed25519_read_private(const uint8_t *pem, size_t length) {
    BIO *bio = BIO_new_mem_buf(pem, (int)length);
    EVP_PKEY *pkey = bio != NULL ? PEM_read_bio_PrivateKey(bio, NULL, no_passphrase, NULL) : NULL;
    BIO_free(bio);
    return wrap(pkey);
}

oss_ed25519 *oss_ed25519_from_seed(const uint8_t seed[OSS_ED25519_KEY_SIZE]) {
    return wrap(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, OSS_ED25519_KEY_SIZE));
}

int oss_ed25519_read_public(const uint8_t *pem, size_t length, uint8_t out[OSS_ED25519_KEY_SIZE]) {
    BIO *bio = BIO_new_mem_buf(pem, (int)length);
    oss_ed25519 *key = wrap(bio != NULL ? PEM_read_bio_PUBKEY(bio, NULL, no_passphrase, NULL) : NULL);
    BIO_free(bio);
    int read = key != NULL && oss_ed25519_public(key, out);
    oss_ed25519_free(key);
    return read;
}

void oss_ed25519_free(oss_ed25519 *key) {
    if (key == NULL) return;
    EVP_PKEY_free(key->pkey);
    OPENSSL_free(key);
}

size_t oss_ed25519_private_pem(const oss_ed25519 *key, uint8_t *out, size_t capacity) {
    BIO *bio = BIO_new(BIO_s_secmem());
    size_t length = 0;
    if (bio != NULL && PEM_write_bio_PKCS8PrivateKey(bio, key->pkey, NULL, NULL, 0, NULL, NULL) == 1) {
        char *text = NULL;
        long count = BIO_get_mem_data(bio, &text);
        if (count > 0 && (size_t)count <= capacity) {
            memcpy(out, text, (size_t)count);
            length = (size_t)count;
        }
    }
    BIO_free(bio);
    ERR_clear_error();
    return length;
}

int oss_ed25519_public(const oss_ed25519 *key, uint8_t out[OSS_ED25519_KEY_SIZE]) {
    size_t length = OSS_ED25519_KEY_SIZE;
    int given = EVP_PKEY_get_raw_public_key(key->pkey, out, &length) == 1 && length == OSS_ED25519_KEY_SIZE;
    ERR_clear_error();
    return given;
}

int oss_ed25519_sign(const oss_ed25519 *key, const uint8_t *message, size_t length,
                     uint8_t signature[OSS_ED25519_SIGNATURE_SIZE]) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    size_t signature_length = OSS_ED25519_SIGNATURE_SIZE;
    int made = context != NULL && EVP_DigestSignInit(context, NULL, NULL, NULL, key->pkey) == 1 &&
               EVP_DigestSign(context, signature, &signature_length, message, length) == 1 &&
               signature_length == OSS_ED25519_SIGNATURE_SIZE;
    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return made;
}

int oss_ed25519_verify(const uint8_t public_key[OSS_ED25519_KEY_SIZE], const uint8_t *message, size_t length,
                       const uint8_t signature[OSS_ED25519_SIGNATURE_SIZE]) {
    EVP_PKEY *pkey = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, public_key, OSS_ED25519_KEY_SIZE);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int valid = pkey != NULL && context != NULL && EVP_DigestVerifyInit(context, NULL, NULL, NULL, pkey) == 1 &&
                EVP_DigestVerify(context, signature, OSS_ED25519_SIGNATURE_SIZE, message, length) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(pkey);
    ERR_clear_error();
    return valid;
}
