/** Version of core, matchers and command layouts: segments of another one are not replayed. */
export const engineVersion = 3
