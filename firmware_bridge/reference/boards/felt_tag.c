/* Tags. */
#include "felt_tag.h"
#include "felt_frame.h"

static uint32_t check_of(const uint8_t data[8], const uint8_t *id, size_t id_size)
{
    uint8_t all[8 + FELT_TAG_NAME];
    felt_copy(all, data, 8);
    felt_copy(all + 8, id, id_size);
    return felt_crc32(all, 8 + id_size);
}

void felt_tag_write(uint8_t data[16], const char *word, const uint8_t says[4], const uint8_t *id, size_t id_size)
{
    felt_fill(data, 0, 16);
    felt_copy(data, word, 4);
    felt_copy(data + 4, says, 4);
    felt_put32(data + 8, check_of(data, id, id_size));
}

bool felt_tag_says(const struct felt_tag *tag, const char *word)
{
    return tag->readable && tag->id_size <= FELT_TAG_NAME && felt_same(tag->data, word, 4) &&
           felt_get32(tag->data + 8) == check_of(tag->data, tag->id, tag->id_size);
}

uint32_t felt_tag_number(const struct felt_tag *tag)
{
    uint32_t number = felt_crc32(tag->id, tag->id_size);
    return number != 0 ? number : 1;
}
