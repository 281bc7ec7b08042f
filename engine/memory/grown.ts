/** Copies a full column to the beginning of a larger one. @returns the larger one. */
export function grown<T extends { set(source: T): void }>(column: T, larger: T): T {
  larger.set(column)
  return larger
}
