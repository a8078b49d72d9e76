// Numbers of things as people say them: one of a thing is never several.

/** What so many things are called; `several` where more of them are not just called so with an s. */
export const called = (count, what, several = `${what}s`) => (count === 1 ? what : several);

/** A number of things in words. */
export const many = (count, what, several) => `${count} ${called(count, what, several)}`;
