#include <zlib.h>

#include "zlib_shim.h"

size_t zs_capacity(size_t length) { return compressBound(length); }

size_t zs_compress(const uint8_t *bytes, size_t length, uint8_t *out, size_t capacity) {
    uLongf used = capacity;
    return compress2(out, &used, bytes, length, Z_DEFAULT_COMPRESSION) == Z_OK ? used : 0;
}

size_t zs_expand(const uint8_t *bytes, size_t length, uint8_t *out, size_t capacity) {
    uLongf used = capacity;
    uLong read = length;
    // If there are bytes after the end of the compressed data, the input counts as damaged, too.
    return uncompress2(out, &used, bytes, &read) == Z_OK && read == length ? used : capacity + 1;
}
