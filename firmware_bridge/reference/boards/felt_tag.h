/* A tag that a reader without contact has found: its name, and what is written on it, with a check of both together. */
#ifndef FELT_TAG_H
#define FELT_TAG_H

#include "felt_bytes.h"

#define FELT_TAG_NAME 10u

struct felt_tag {
    uint8_t id[FELT_TAG_NAME];
    uint8_t id_size;
    bool readable;
    uint8_t data[16]; /* what is written on its first four pages that are free */
};

/* Writes what a tag says: a word of four letters, four bytes, and a check of these and of its name. Who copies the bytes
 * onto another tag is found; who can compute a check is not: that takes tags with a secret of their own. */
void felt_tag_write(uint8_t data[16], const char *word, const uint8_t says[4], const uint8_t *id, size_t id_size);
/* True when it was read, and says this word with a right check. */
bool felt_tag_says(const struct felt_tag *tag, const char *word);
/* A number for its name, never 0. */
uint32_t felt_tag_number(const struct felt_tag *tag);

#endif
