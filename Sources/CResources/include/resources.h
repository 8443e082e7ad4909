// The files of OfferHTTP/Resources, embedded in the program. This is done in C, because a C compiler embeds them in no time,
// while the Swift compiler takes a minute.
#ifndef OFFERSIGNER_RESOURCES_H
#define OFFERSIGNER_RESOURCES_H

#include <stddef.h>
#include <stdint.h>

struct rs_resource {
    /// The file's path below Resources/.
    const char *name;
    const uint8_t *bytes;
    size_t length;
};

/// Returns the resource with this name, or NULL if there is none. It lives as long as the program.
const struct rs_resource *rs_find(const char *name);

#endif
