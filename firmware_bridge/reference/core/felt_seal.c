/* Sealed links. */
#include "felt_seal.h"
#include "felt_aead.h"
#include "felt_sha256.h"

static const char SESSION[] = "feltd 1 session";
static const char PROOF[] = "feltd 1 proof";

void felt_keys_make(struct felt_keys *keys, const uint8_t key[FELT_KEY])
{
    uint8_t salt[2 * FELT_NONCE], made[3 * FELT_KEY];
    felt_copy(salt, keys->controller_nonce, FELT_NONCE);
    felt_copy(salt + FELT_NONCE, keys->device_nonce, FELT_NONCE);
    felt_hkdf(made, sizeof made, key, FELT_KEY, salt, sizeof salt, SESSION, sizeof SESSION - 1);
    felt_copy(keys->proof, made, FELT_KEY);
    felt_copy(keys->down, made + FELT_KEY, FELT_KEY);
    felt_copy(keys->up, made + 2 * FELT_KEY, FELT_KEY);
    felt_wipe(made, sizeof made);
    keys->sent = keys->taken = 0;
    keys->known = true;
}

void felt_keys_proof(const struct felt_keys *keys, const char *serial, uint8_t proof[32])
{
    struct felt_hmac hmac;
    uint8_t number[4];
    felt_put32(number, keys->number);
    felt_hmac_start(&hmac, keys->proof, FELT_KEY);
    felt_hmac_add(&hmac, PROOF, sizeof PROOF - 1);
    felt_hmac_add(&hmac, number, sizeof number);
    felt_hmac_add(&hmac, serial, felt_length(serial));
    felt_hmac_end(&hmac, proof);
}

static void nonce_of(uint8_t nonce[12], const uint8_t counter[FELT_COUNTER])
{
    felt_fill(nonce, 0, 4);
    felt_copy(nonce + 4, counter, FELT_COUNTER);
}

bool felt_open(struct felt_keys *keys, struct felt_frame *frame)
{
    uint8_t nonce[12], *body = frame->body;
    uint64_t counter;
    size_t size;
    if (!keys->known || !frame->sealed || frame->size < FELT_COUNTER + FELT_TAG)
        return false;
    size = frame->size - FELT_COUNTER - FELT_TAG;
    counter = felt_get64(body);
    nonce_of(nonce, body);
    /* the header stands before the body in the same buffer */
    if (!felt_aead_open(keys->down, nonce, body - FELT_HEADER, FELT_HEADER, body + FELT_COUNTER, size,
                        body + FELT_COUNTER + size))
        return false;
    if (counter <= keys->taken)
        return false;
    keys->taken = counter;
    frame->body = body + FELT_COUNTER;
    frame->size = size;
    return true;
}

size_t felt_seal(struct felt_keys *keys, uint8_t *frame, size_t body)
{
    uint8_t nonce[12], *at = frame + FELT_HEADER;
    keys->sent++;
    felt_put64(at, keys->sent);
    nonce_of(nonce, at);
    felt_aead_seal(keys->up, nonce, frame, FELT_HEADER, at + FELT_COUNTER, body, at + FELT_COUNTER + body);
    return FELT_COUNTER + body + FELT_TAG;
}
