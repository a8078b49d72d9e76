/* Pairing. */
#include "felt_pairing.h"
#include "felt_sha256.h"
#include "felt_x25519.h"

static const char PAIRING[] = "feltd 1 pairing";
static const char COMMITMENT[] = "feltd 1 commitment";
static const char CODE[] = "feltd 1 code";
static const char KEEP[] = "feltd 1 keep";

void felt_pairing_forget(struct felt_pairing *pairing)
{
    bool used = pairing->used;
    felt_wipe(pairing, sizeof *pairing);
    pairing->used = used;
}

/* Makes half, shared secret and key; false when the shared secret is zero, or there is no chance to be had. */
static bool agree(struct felt_pairing *pairing, const struct felt_board *board)
{
    static const uint8_t zero[32];
    uint8_t secret[32], shared[32];
    bool made = board->random(board->port, secret, sizeof secret) &&
                board->random(board->port, pairing->nonce, sizeof pairing->nonce);
    if (made) {
        felt_x25519_half(pairing->halves + 32, secret);
        felt_x25519(shared, secret, pairing->halves);
        made = !felt_same_secret(shared, zero, sizeof shared);
        felt_hkdf(pairing->key, FELT_KEY, shared, sizeof shared, pairing->halves, sizeof pairing->halves, PAIRING,
                  sizeof PAIRING - 1);
    }
    felt_wipe(secret, sizeof secret);
    felt_wipe(shared, sizeof shared);
    return made;
}

void felt_pairing_pair(struct felt_pairing *pairing, const struct felt_board *board, struct felt_piece half,
                       bool (*claim)(void *self), void *self, struct felt_writer *reply)
{
    struct felt_hmac hmac;
    uint8_t answer[64];
    if (pairing->used) {
        felt_refuse(reply, "pairing-used");
        return;
    }
    if (half.size == 32)
        felt_copy(pairing->halves, half.data, 32);
    if (half.size != 32 || !agree(pairing, board)) { /* the exchange was not begun: another half may come */
        felt_pairing_forget(pairing);
        felt_refuse(reply, "bad-half");
        return;
    }
    if (!claim(self)) {
        felt_pairing_forget(pairing);
        felt_refuse(reply, "memory-failed");
        return;
    }
    pairing->used = true;
    pairing->step = FELT_PAIRING_BEGUN;
    felt_copy(answer, pairing->halves + 32, 32);
    felt_hmac_start(&hmac, pairing->nonce, sizeof pairing->nonce);
    felt_hmac_add(&hmac, COMMITMENT, sizeof COMMITMENT - 1);
    felt_hmac_add(&hmac, pairing->halves, sizeof pairing->halves);
    felt_hmac_end(&hmac, answer + 32);
    felt_done_hex(reply, answer, sizeof answer);
}

static void make_code(const struct felt_pairing *pairing, const uint8_t *theirs, const char *serial, char digits[7])
{
    struct felt_sha256 sha;
    uint8_t digest[FELT_SHA256];
    uint64_t number = 0;
    felt_sha256_start(&sha);
    felt_sha256_add(&sha, CODE, sizeof CODE - 1);
    felt_sha256_add(&sha, pairing->halves, sizeof pairing->halves);
    felt_sha256_add(&sha, theirs, FELT_NONCE);
    felt_sha256_add(&sha, pairing->nonce, FELT_NONCE);
    felt_sha256_add(&sha, serial, felt_length(serial));
    felt_sha256_end(&sha, digest);
    number = felt_get64(digest) % 1000000u;
    for (unsigned n = 6; n > 0; n--) {
        digits[n - 1] = (char)('0' + number % 10);
        number /= 10;
    }
    digits[6] = '\0';
}

void felt_pairing_reveal(struct felt_pairing *pairing, const struct felt_board *board, struct felt_piece nonce,
                         struct felt_writer *reply)
{
    char digits[7];
    if (pairing->step != FELT_PAIRING_BEGUN) {
        felt_refuse(reply, "not-begun");
        return;
    }
    if (nonce.size != FELT_NONCE) {
        felt_refuse(reply, "bad-nonce");
        return;
    }
    make_code(pairing, nonce.data, board->serial, digits);
    board->show_code(board->port, digits);
    pairing->step = FELT_PAIRING_REVEALED;
    felt_done_hex(reply, pairing->nonce, sizeof pairing->nonce);
}

void felt_pairing_keep(struct felt_pairing *pairing, const struct felt_board *board, struct felt_piece proof,
                       struct felt_writer *reply)
{
    struct felt_hmac hmac;
    uint8_t right[FELT_SHA256];
    if (pairing->step != FELT_PAIRING_REVEALED) {
        felt_refuse(reply, "not-begun");
        return;
    }
    felt_hmac_start(&hmac, pairing->key, sizeof pairing->key);
    felt_hmac_add(&hmac, KEEP, sizeof KEEP - 1);
    felt_hmac_end(&hmac, right);
    if (proof.size != sizeof right || !felt_same_secret(proof.data, right, sizeof right)) {
        felt_pairing_forget(pairing); /* one guess each time the switch is operated */
        board->show_code(board->port, NULL);
        felt_refuse(reply, "bad-proof");
        return;
    }
    pairing->step = FELT_PAIRING_KEPT;
    felt_done(reply);
}
