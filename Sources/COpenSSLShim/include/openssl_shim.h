// The functions of libcrypto that the service needs, for Swift. They take and return plain C types, so that this header need not
// name any type of OpenSSL's.
#ifndef OFFERSIGNER_OPENSSL_SHIM_H
#define OFFERSIGNER_OPENSSL_SHIM_H

#include <stddef.h>
#include <stdint.h>

enum { OSS_DIGEST_SIZE = 32, OSS_RAW_SIGNATURE_SIZE = 64, OSS_DER_SIGNATURE_CAPACITY = 72 };

// Process ---------------------------------------------------------------------------------------------------------

/// Wipes every block that libcrypto frees, opens its secure heap and forbids core dumps.
///
/// Call it before any other function of libcrypto. Returns 0, or the number of the step that has failed: 1 for the allocator, 2
/// for core dumps. It is not a failure if there is no secure heap because memory cannot be locked: freed blocks are still wiped.
int oss_harden_process(void);

/// Returns 1 if NTP sets the kernel's clock and the NTP daemon estimates an error of less than five seconds, else 0.
int oss_is_clock_synchronised(void);

/// Returns the unused memory in the heaps of all threads to the operating system.
void oss_trim_heap(void);

/// Overwrites memory. The compiler cannot leave this out, as it could a plain memset before a free.
void oss_cleanse(void *bytes, size_t length);

// Keys ------------------------------------------------------------------------------------------------------------

/// A P-256 key, private or public. The caller owns it, and frees it with `oss_key_free`.
typedef struct oss_key oss_key;

typedef enum {
    OSS_KEY_OK = 0,
    OSS_KEY_NOT_PEM,
    OSS_KEY_SEC1,
    OSS_KEY_RSA,
    OSS_KEY_PUBLIC,
    OSS_KEY_CERTIFICATE,
    OSS_KEY_OTHER_PEM,
    OSS_KEY_OTHER_ALGORITHM,
    OSS_KEY_OTHER_CURVE,
    OSS_KEY_PASSPHRASE_NEEDED,
    OSS_KEY_PASSPHRASE_WRONG,
    OSS_KEY_DAMAGED,
} oss_key_status;

/// Reads a PKCS#8 PEM (plain or passphrase-encrypted) that holds a P-256 private key.
///
/// The two characters `\n` count as a line end, because environment variables contain line ends in this form. `passphrase` may be
/// NULL. Returns NULL on failure, with the reason in `status`.
oss_key *oss_key_read_private(const uint8_t *pem, size_t length, const uint8_t *passphrase, size_t passphrase_length,
                              oss_key_status *status);

/// Reads a P-256 public key from its SubjectPublicKeyInfo in DER. Returns NULL if the bytes are anything else.
oss_key *oss_key_read_public(const uint8_t *der, size_t length);

void oss_key_free(oss_key *key);

/// Writes the key's SubjectPublicKeyInfo (91 bytes for P-256). Returns its length, or 0 if it does not fit.
size_t oss_key_public_der(const oss_key *key, uint8_t *out, size_t capacity);

/// Verifies an ECDSA signature in DER over SHA-256 of a message. Returns 1 if it is valid, and 0 if not.
int oss_key_verify(const oss_key *key, const uint8_t *message, size_t message_length, const uint8_t *signature,
                   size_t signature_length);

// Signing ---------------------------------------------------------------------------------------------------------

/// A signer with a key context of its own, which is set up once and then reused. Two threads must not use it at the same time.
typedef struct oss_signer oss_signer;

oss_signer *oss_signer_new(const oss_key *key);
void oss_signer_free(oss_signer *signer);

/// Signs SHA-256 of the message, and writes the digest and the signature. Returns the length of the signature in DER, or 0 on
/// failure.
size_t oss_signer_sign(oss_signer *signer, const uint8_t *message, size_t length, uint8_t digest[OSS_DIGEST_SIZE],
                       uint8_t signature[OSS_DER_SIGNATURE_CAPACITY]);

/// Converts a signature from DER to r‖s, each number padded to 32 bytes. Returns 1 on success, and 0 if the bytes are not exactly
/// one ECDSA-Sig-Value.
int oss_signature_der_to_raw(const uint8_t *der, size_t length, uint8_t raw[OSS_RAW_SIGNATURE_SIZE]);

/// Converts a signature from r‖s to DER. Returns the length of the DER.
size_t oss_signature_raw_to_der(const uint8_t raw[OSS_RAW_SIGNATURE_SIZE], uint8_t der[OSS_DER_SIGNATURE_CAPACITY]);

// RSA, for tokens of other services ----------------------------------------------------------------------------------

/// An immutable RSA public key. The caller owns it, and frees it with `oss_rsa_free`.
typedef struct oss_rsa oss_rsa;

/// Makes a key from its modulus and its exponent, both big-endian. Returns NULL if they are not a valid key. The caller must
/// check that the modulus is long enough.
oss_rsa *oss_rsa_read_public(const uint8_t *modulus, size_t modulus_length, const uint8_t *exponent, size_t exponent_length);

void oss_rsa_free(oss_rsa *key);

/// Verifies an RSASSA-PKCS1-v1_5 signature with SHA-256. Returns 1 if it is valid, and 0 if not.
int oss_rsa_verify(const oss_rsa *key, const uint8_t *message, size_t message_length, const uint8_t *signature,
                   size_t signature_length);

// Ed25519, for the audit log and for tokens
// ---------------------------------------------------------------------------------------

enum { OSS_ED25519_KEY_SIZE = 32, OSS_ED25519_SIGNATURE_SIZE = 64 };

/// An immutable Ed25519 private key. The caller owns it, and frees it with `oss_ed25519_free`.
typedef struct oss_ed25519 oss_ed25519;

oss_ed25519 *oss_ed25519_generate(void);

/// Reads a private key from an unencrypted PKCS#8 PEM. Returns NULL if the PEM contains anything else.
oss_ed25519 *oss_ed25519_read_private(const uint8_t *pem, size_t length);

/// Makes a key from its seed, which RFC 8032 calls the private key.
oss_ed25519 *oss_ed25519_from_seed(const uint8_t seed[OSS_ED25519_KEY_SIZE]);

/// Reads a public key from a PEM with a SubjectPublicKeyInfo. Returns 1 on success.
int oss_ed25519_read_public(const uint8_t *pem, size_t length, uint8_t out[OSS_ED25519_KEY_SIZE]);

void oss_ed25519_free(oss_ed25519 *key);

/// Writes the key as a PKCS#8 PEM, which the caller wipes afterwards. Returns the length of the PEM, or 0 if it does not fit.
size_t oss_ed25519_private_pem(const oss_ed25519 *key, uint8_t *out, size_t capacity);

/// Writes the public half of the key. Returns 1 on success.
int oss_ed25519_public(const oss_ed25519 *key, uint8_t out[OSS_ED25519_KEY_SIZE]);

/// Signs a message. Returns 1 on success.
int oss_ed25519_sign(const oss_ed25519 *key, const uint8_t *message, size_t length,
                     uint8_t signature[OSS_ED25519_SIGNATURE_SIZE]);

/// Verifies a signature. Returns 1 if it is valid, and 0 if not.
int oss_ed25519_verify(const uint8_t public_key[OSS_ED25519_KEY_SIZE], const uint8_t *message, size_t length,
                       const uint8_t signature[OSS_ED25519_SIGNATURE_SIZE]);

// Sealing: AES-256-GCM ---------------------------------------------------------------------------------------------

enum {
    OSS_AEAD_KEY_SIZE = 32,
    OSS_AEAD_NONCE_SIZE = 12,
    OSS_AEAD_TAG_SIZE = 16,
    /// The number of bytes by which sealed data is longer than its message. They are a random nonce in front and the tag at the
    /// end.
    OSS_AEAD_OVERHEAD = 28,
    OSS_AEAD_MAX_LENGTH = 1 << 26,
};

/// A key for sealing. It is immutable, so any number of threads may use it.
typedef struct oss_aead oss_aead;

oss_aead *oss_aead_new(const uint8_t key[OSS_AEAD_KEY_SIZE]);
void oss_aead_free(oss_aead *aead);

/// Seals a message. Writes `length + OSS_AEAD_OVERHEAD` bytes, and returns 1 on success. `bound` is the additional data of
/// AES-GCM: it is not part of the result, but the message can only be opened with the same `bound`.
int oss_aead_seal(const oss_aead *aead, const uint8_t *bound, size_t bound_length, const uint8_t *message, size_t length,
                  uint8_t *out);

/// Opens sealed bytes. Writes `length - OSS_AEAD_OVERHEAD` bytes, and returns 1 on success. Returns 0 if the key or `bound` is
/// another one, or if the bytes were changed.
int oss_aead_open(const oss_aead *aead, const uint8_t *bound, size_t bound_length, const uint8_t *sealed, size_t length,
                  uint8_t *out);

// Certificates ----------------------------------------------------------------------------------------------------

enum { OSS_CERTIFICATE_CAPACITY = 16384 };

/// An X.509 certificate. The caller owns it, and frees it with `oss_certificate_free`. Any number of threads may read it.
typedef struct oss_certificate oss_certificate;

/// The first and the last second in which something is valid, in seconds since 1970.
typedef struct {
    int64_t not_before;
    int64_t not_after;
} oss_validity;

typedef enum { OSS_CERTIFICATE_KEY_OTHER = 0, OSS_CERTIFICATE_KEY_P256, OSS_CERTIFICATE_KEY_P384 } oss_certificate_key;

/// Reads exactly one certificate in DER of at most `OSS_CERTIFICATE_CAPACITY` bytes. Returns NULL if the bytes are anything else.
oss_certificate *oss_certificate_read(const uint8_t *der, size_t length);

void oss_certificate_free(oss_certificate *certificate);

oss_validity oss_certificate_validity(const oss_certificate *certificate);

/// Returns 1 if the certificate has an extension with this dotted object identifier, whatever the value is, and 0 if not.
int oss_certificate_has_extension(const oss_certificate *certificate, const char *oid);

oss_certificate_key oss_certificate_key_kind(const oss_certificate *certificate);

/// Returns the certificate's public key, or NULL if it is not on P-256. The caller frees the key with `oss_key_free`.
oss_key *oss_certificate_public_key(const oss_certificate *certificate);

/// The result of verifying a chain. If there are several roots, the chain is verified with each of them, and the
/// smallest result counts, because with that root verification came farthest.
typedef enum {
    OSS_CHAIN_OK = 0,
    /// OpenSSL could not finish, because there was no memory.
    OSS_CHAIN_FAILED,
    /// Valid, except that a certificate has expired.
    OSS_CHAIN_EXPIRED,
    /// Valid, except that a certificate is not valid yet.
    OSS_CHAIN_NOT_YET_VALID,
    /// Valid, except that a key is not of the kind that the chain must have.
    OSS_CHAIN_KEY_UNSUPPORTED,
    /// The leaf was not issued by the intermediate, or the intermediate may not issue certificates.
    OSS_CHAIN_BROKEN,
    /// None of the roots has issued the intermediate.
    OSS_CHAIN_UNTRUSTED,
} oss_chain_status;

/// Which keys a chain must have. In a chain of EC, each key is on P-384 or P-256, and the leaf's is on P-256. In a chain of RSA,
/// each key has 2048 bits or more.
typedef enum { OSS_CHAIN_OF_EC = 0, OSS_CHAIN_OF_RSA } oss_chain_kind;

/// Verifies that one of the roots has issued the intermediate, that the intermediate has issued the leaf, and that all three are
/// valid at an instant, given in seconds since 1970.
///
/// A root is trusted only if it is self-signed. A leaf that a root has issued directly is refused. On success `validity` is the
/// time in which all three certificates are valid.
oss_chain_status oss_chain_verify(const oss_certificate *leaf, const oss_certificate *intermediate,
                                  const oss_certificate *const *roots, size_t root_count, oss_chain_kind kind, int64_t at,
                                  oss_validity *validity);

/// Returns 1 if `certificate` names `issuer` as its issuer and `issuer` may issue certificates, and 0 if not. The signature is
/// not verified.
int oss_certificate_issued(const oss_certificate *issuer, const oss_certificate *certificate);

// Signed messages: PKCS#7 signed-data -------------------------------------------------------------------------------

enum { OSS_SIGNED_MESSAGE_CAPACITY = 1 << 24 };

/// PKCS#7 signed-data with its content and certificates. The caller owns it, and frees it with `oss_signed_message_free`. Two
/// threads must not use it at the same time.
typedef struct oss_signed_message oss_signed_message;

/// Reads exactly one message, in DER or BER. Returns NULL if the bytes are anything else.
oss_signed_message *oss_signed_message_read(const uint8_t *bytes, size_t length);

void oss_signed_message_free(oss_signed_message *message);

/// Returns the content, which lives as long as the message, or NULL if there is none. The signature is not verified yet.
const uint8_t *oss_signed_message_content(const oss_signed_message *message, size_t *length);

/// Writes an enclosed certificate in DER, and whether it is that of the message's only signer.
///
/// If the message has several signers, no certificate counts as the signer's. Returns the length of the certificate, or 0 if
/// there is none with this index or if it does not fit.
size_t oss_signed_message_certificate(const oss_signed_message *message, size_t index, uint8_t *out, size_t capacity,
                                      int *is_signer);

/// Returns 1 if the key of the only signer has made the signature over the content, and 0 if not. The signer's certificate is not
/// verified.
int oss_signed_message_is_signed(oss_signed_message *message);

/// The header of an ASN.1 element of the universal class, with a definite length.
typedef struct {
    int tag;
    size_t header_length;
    size_t content_length;
} oss_asn1;

/// Reads the header of the element at the start of the bytes. Returns 1 on success, and 0 if the bytes do not contain the whole
/// element.
int oss_asn1_read(const uint8_t *bytes, size_t length, oss_asn1 *element);

// Digests, authentication codes, random bytes ---------------------------------------------------------------------

/// Computes SHA-256 of a message. Returns 1 on success.
int oss_sha256(const uint8_t *message, size_t length, uint8_t digest[OSS_DIGEST_SIZE]);

/// A key for HMAC-SHA256. It is immutable, so any number of threads may use it.
typedef struct oss_hmac oss_hmac;

oss_hmac *oss_hmac_new(const uint8_t *key, size_t length);
void oss_hmac_free(oss_hmac *hmac);

/// Computes the HMAC of a message. Returns 1 on success.
int oss_hmac_code(const oss_hmac *hmac, const uint8_t *message, size_t length, uint8_t code[OSS_DIGEST_SIZE]);

/// Fills memory with random bytes of cryptographic quality. Returns 1 on success.
int oss_random(uint8_t *out, size_t length);

/// Compares bytes in a time that does not depend on their values. Returns 1 if they are equal.
int oss_equal(const uint8_t *left, const uint8_t *right, size_t length);

#endif
