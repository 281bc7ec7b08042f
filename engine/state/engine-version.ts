/**
 * Version of core, matchers and command layouts. Increase it with each change of what is decided, written or hashed.
 */
export const engineVersion = 8
