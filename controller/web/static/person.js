// Who is signed in on this page: badge and PIN in, a session out; every write carries its word.

/** The answer of the daemon to a request: `ok`, `status`, `body`; without a daemon `status` is 0. */
async function ask(method, path, body, csrf) {
  const headers = { "Content-Type": "application/json" };
  if (csrf) headers["X-Felt-Csrf"] = csrf;
  const sent = method === "GET" ? {} : { headers, body: JSON.stringify(body) };
  try {
    const answer = await fetch(path, { method, cache: "no-store", ...sent });
    return { ok: answer.ok, status: answer.status, body: await answer.json() };
  } catch {
    return { ok: false, status: 0, body: { error: { code: "", cause: "the table is not heard", next_step: "Wait for the connection." } } };
  }
}

export class Person {
  /** `changed(me)` is called with who is signed in; null when nobody is.  `role`: another than the highest is asked for, of who has it. */
  constructor(changed, role = "") {
    this.role = role;
    this.me = null;
    this.changed = changed;
    this.timer = 0;
  }

  async find() {
    const { ok, body } = await ask("GET", "/me");
    if (ok) this.#is(body);
  }

  async signIn(badge, pin) {
    let answer = await ask("POST", "/sign-in", { badge, pin, role: this.role });
    if (this.role && answer.body.error?.code === "sign-in.role") answer = await ask("POST", "/sign-in", { badge, pin });
    if (answer.ok) this.#is(answer.body);
    return answer;
  }

  async signOut() {
    await ask("POST", "/sign-out", {}, this.me?.csrf);
    this.#is({ signed_in: false });
  }

  /** What only who is signed in may see. */
  get(path) {
    return ask("GET", path);
  }

  press(key, args) {
    return this.post("/keys", { key, args });
  }

  /** A write of who is signed in. */
  async post(path, body) {
    const answer = await ask("POST", path, body, this.me?.csrf);
    if (answer.status === 401) this.#is({ signed_in: false });
    else if (this.me) this.#watch(this.idle);
    return answer;
  }

  #is(body) {
    this.me = body.signed_in ? body : null;
    clearTimeout(this.timer);
    if (this.me) {
      this.idle = this.me.left;
      this.#watch(this.me.left);
    }
    this.changed(this.me);
  }

  /** Looks again when the session must be over; not before, as looking would make it longer. */
  #watch(seconds) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.find(), Math.min(seconds + 2, 86400) * 1000);
  }
}
