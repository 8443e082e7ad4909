// zlib for Swift: plain C types in, plain C types out.
#ifndef OFFERSIGNER_ZLIB_SHIM_H
#define OFFERSIGNER_ZLIB_SHIM_H

#include <stddef.h>
#include <stdint.h>

/// Returns the most bytes that `zs_compress` may need for `length` bytes.
size_t zs_capacity(size_t length);

/// Compresses into the form of RFC 1950. Returns the length, or 0 if it does not fit or there is no memory.
size_t zs_compress(const uint8_t *bytes, size_t length, uint8_t *out, size_t capacity);

/// Expands bytes in the form of RFC 1950. Returns the length.
///
/// Returns more than `capacity` if the bytes are incomplete or not of this form, or if the result does not fit.
size_t zs_expand(const uint8_t *bytes, size_t length, uint8_t *out, size_t capacity);

#endif
