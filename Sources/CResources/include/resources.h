// The files of OfferHTTP/Resources, embedded in the program. A C compiler embeds a file at once; Swift's takes a minute.
#ifndef OFFERSIGNER_RESOURCES_H
#define OFFERSIGNER_RESOURCES_H

#include <stddef.h>
#include <stdint.h>

struct rs_resource {
    /// The path below Resources/.
    const char *name;
    const uint8_t *bytes;
    size_t length;
};

/// Returns the resource of this name, which lives as long as the program; NULL if there is none.
const struct rs_resource *rs_find(const char *name);

#endif
