#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <string.h>

#include "openssl_shim.h"

struct oss_aead {
    uint8_t key[OSS_AEAD_KEY_SIZE];
};

oss_aead *oss_aead_new(const uint8_t key[OSS_AEAD_KEY_SIZE]) {
    oss_aead *aead = OPENSSL_zalloc(sizeof *aead);
    if (aead != NULL) memcpy(aead->key, key, sizeof aead->key);
    return aead;
}

void oss_aead_free(oss_aead *aead) { OPENSSL_clear_free(aead, sizeof *aead); }

int oss_aead_seal(const oss_aead *aead, const uint8_t *bound, size_t bound_length, const uint8_t *message, size_t length,
                  uint8_t *out) {
    uint8_t *nonce = out, *text = out + OSS_AEAD_NONCE_SIZE;
    int written = 0, rest = 0;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int sealed = context != NULL && length <= OSS_AEAD_MAX_LENGTH && bound_length <= OSS_AEAD_MAX_LENGTH &&
                 RAND_bytes(nonce, OSS_AEAD_NONCE_SIZE) == 1 &&
                 EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), NULL, aead->key, nonce) == 1 &&
                 EVP_EncryptUpdate(context, NULL, &rest, bound, (int)bound_length) == 1 &&
                 EVP_EncryptUpdate(context, text, &written, message, (int)length) == 1 && (size_t)written == length &&
                 EVP_EncryptFinal_ex(context, text + written, &rest) == 1 && rest == 0 &&
                 EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, OSS_AEAD_TAG_SIZE, text + length) == 1;
    EVP_CIPHER_CTX_free(context);
    ERR_clear_error();
    return sealed;
}

int oss_aead_open(const oss_aead *aead, const uint8_t *bound, size_t bound_length, const uint8_t *sealed, size_t length,
                  uint8_t *out) {
    if (length < OSS_AEAD_OVERHEAD || length - OSS_AEAD_OVERHEAD > OSS_AEAD_MAX_LENGTH || bound_length > OSS_AEAD_MAX_LENGTH)
        return 0;
    const uint8_t *text = sealed + OSS_AEAD_NONCE_SIZE;
    size_t text_length = length - OSS_AEAD_OVERHEAD;
    uint8_t tag[OSS_AEAD_TAG_SIZE];
    memcpy(tag, text + text_length, sizeof tag);
    int written = 0, rest = 0;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int opened = context != NULL && EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), NULL, aead->key, sealed) == 1 &&
                 EVP_DecryptUpdate(context, NULL, &rest, bound, (int)bound_length) == 1 &&
                 EVP_DecryptUpdate(context, out, &written, text, (int)text_length) == 1 &&
                 (size_t)written == text_length &&
                 EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, sizeof tag, tag) == 1 &&
                 EVP_DecryptFinal_ex(context, out + written, &rest) == 1 && rest == 0;
    EVP_CIPHER_CTX_free(context);
    ERR_clear_error();
    // If the tag is wrong, what was decrypted is not authentic. It is wiped, so that the caller cannot use it.
    if (!opened) OPENSSL_cleanse(out, text_length);
    return opened;
}
