// Calls PKCS#11 (Cryptoki) v2.40 modules for Swift. The functions take and return plain C types, so that this header need not
// name any type of Cryptoki's. Every function may block as long as the module blocks. Sources: OASIS PKCS #11 Base Specification
// v2.40, OASIS PKCS #11 Current Mechanisms Specification v2.40.
#ifndef OFFERSIGNER_PKCS11_SHIM_H
#define OFFERSIGNER_PKCS11_SHIM_H

#include <stddef.h>
#include <stdint.h>

/// The return codes of PKCS#11 (CKR_…) that the service distinguishes, and three codes of its own.
enum {
    P11_OK = 0x000,
    P11_SLOT_ID_INVALID = 0x003,
    P11_GENERAL_ERROR = 0x005,
    P11_FUNCTION_FAILED = 0x006,
    P11_DEVICE_ERROR = 0x030,
    P11_DEVICE_MEMORY = 0x031,
    P11_DEVICE_REMOVED = 0x032,
    P11_KEY_HANDLE_INVALID = 0x060,
    P11_KEY_TYPE_INCONSISTENT = 0x063,
    P11_KEY_FUNCTION_NOT_PERMITTED = 0x068,
    P11_MECHANISM_INVALID = 0x070,
    P11_OBJECT_HANDLE_INVALID = 0x082,
    P11_OPERATION_ACTIVE = 0x090,
    P11_PIN_INCORRECT = 0x0a0,
    P11_PIN_INVALID = 0x0a1,
    P11_PIN_LEN_RANGE = 0x0a2,
    P11_PIN_EXPIRED = 0x0a3,
    P11_PIN_LOCKED = 0x0a4,
    P11_SESSION_CLOSED = 0x0b0,
    P11_SESSION_COUNT = 0x0b1,
    P11_SESSION_HANDLE_INVALID = 0x0b3,
    P11_TOKEN_NOT_PRESENT = 0x0e0,
    P11_TOKEN_NOT_RECOGNIZED = 0x0e1,
    P11_USER_ALREADY_LOGGED_IN = 0x100,
    P11_USER_NOT_LOGGED_IN = 0x101,
    P11_USER_PIN_NOT_INITIALIZED = 0x102,
    P11_CRYPTOKI_NOT_INITIALIZED = 0x190,
    /// A code of the service's own: what the module has returned does not conform to PKCS#11.
    P11_MALFORMED = 0x7f000001,
    /// A code of the service's own: the module cannot be restarted, because calls into it are in progress.
    P11_BUSY = 0x7f000002,
    /// A code of the service's own: a signature that the module has made does not verify.
    P11_WRONG_SIGNATURE = 0x7f000003,
};

/// The flags with which a token describes its state (CKF_…).
enum {
    P11_FLAG_LOGIN_REQUIRED = 0x00000004,
    P11_FLAG_TOKEN_INITIALIZED = 0x00000400,
    P11_FLAG_PIN_COUNT_LOW = 0x00010000,
    P11_FLAG_PIN_FINAL_TRY = 0x00020000,
    P11_FLAG_PIN_LOCKED = 0x00040000,
};

enum { P11_PUBLIC_KEY = 2, P11_PRIVATE_KEY = 3 };

enum { P11_KEY_TYPE = 0x100, P11_ID = 0x102, P11_EC_PARAMS = 0x180, P11_EC_POINT = 0x181 };

enum { P11_KEY_TYPE_EC = 3 };

enum { P11_SIGN_DIGEST_SIZE = 32, P11_SIGN_RAW_SIZE = 64 };

/// A loaded module. It lives as long as the process.
typedef struct p11_module p11_module;

typedef struct {
    unsigned long slot;
    unsigned long flags;
    /// The texts end with a NUL. The blanks with which PKCS#11 pads them are removed.
    char label[33];
    char manufacturer[33];
    char model[17];
    char serial[17];
} p11_token;

/// Loads a module without starting it. On failure, returns NULL and writes the reason.
p11_module *p11_open(const char *path, char *reason, size_t capacity);

/// Calls C_Initialize, so that any number of threads may use the module. Succeeds also if the module was started before. When the
/// process exits, C_Finalize is called.
unsigned long p11_start(p11_module *module);

/// Calls C_Finalize and then C_Initialize. The module thereby forgets its sessions and its list of tokens.
unsigned long p11_restart(p11_module *module);

/// Writes the tokens that are present, at most `capacity` of them. A token that cannot be read is left out.
unsigned long p11_tokens(p11_module *module, p11_token *tokens, size_t capacity, size_t *count);

/// Reads the current flags of the token in a slot.
unsigned long p11_flags(p11_module *module, unsigned long slot, unsigned long *flags);

/// Opens a read-only session.
unsigned long p11_open_session(p11_module *module, unsigned long slot, unsigned long *session);

unsigned long p11_close_session(p11_module *module, unsigned long session);

/// Checks that a session still exists.
unsigned long p11_check_session(p11_module *module, unsigned long session);

/// Logs in as the token's user. The log-in counts for all sessions of the process.
unsigned long p11_log_in(p11_module *module, unsigned long session, const uint8_t *pin, size_t length);

/// Finds keys of a kind (`P11_PUBLIC_KEY`, `P11_PRIVATE_KEY`). If `id` or `label` is NULL, a key may have any value of it.
///
/// Writes at most two handles, and how many it has found.
unsigned long p11_find(p11_module *module, unsigned long session, unsigned long kind, const uint8_t *id, size_t id_length,
                       const uint8_t *label, size_t label_length, unsigned long handles[2], size_t *count);

/// Reads the bytes of an object's attribute.
unsigned long p11_read(p11_module *module, unsigned long session, unsigned long object, unsigned long attribute, uint8_t *out,
                       size_t capacity, size_t *length);

/// Reads an object's attribute that is a number.
unsigned long p11_read_number(p11_module *module, unsigned long session, unsigned long object, unsigned long attribute,
                              unsigned long *number);

/// Signs a digest with the mechanism CKM_ECDSA. Writes the signature as r‖s, each number padded to 32 bytes.
unsigned long p11_sign(p11_module *module, unsigned long session, unsigned long key,
                       const uint8_t digest[P11_SIGN_DIGEST_SIZE], uint8_t raw[P11_SIGN_RAW_SIZE]);

/// Returns the standard's name of a return code, such as CKR_PIN_INCORRECT, or NULL for a code that is not listed here. Codes of
/// the service's own have a description as their name.
const char *p11_name(unsigned long code);

#endif
