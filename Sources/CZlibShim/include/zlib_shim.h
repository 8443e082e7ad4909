// The functions of zlib that the service needs, for Swift. They take and return plain C types.
#ifndef OFFERSIGNER_ZLIB_SHIM_H
#define OFFERSIGNER_ZLIB_SHIM_H

#include <stddef.h>
#include <stdint.h>

/// Returns how many bytes `zs_compress` needs at most for its result if the input has `length` bytes.
size_t zs_capacity(size_t length);

/// Compresses bytes into the zlib format (RFC 1950). Returns the length of the result, or 0 if it does not fit or there is not
/// enough memory.
size_t zs_compress(const uint8_t *bytes, size_t length, uint8_t *out, size_t capacity);

/// Expands bytes in the zlib format (RFC 1950). Returns the length of the result.
///
/// Returns a number greater than `capacity` if the bytes are incomplete or damaged, or if the result does not fit.
size_t zs_expand(const uint8_t *bytes, size_t length, uint8_t *out, size_t capacity);

#endif
