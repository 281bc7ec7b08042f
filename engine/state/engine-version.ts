/** Version of core, matchers and command layouts: raised with what is decided, written or hashed. */
export const engineVersion = 8
