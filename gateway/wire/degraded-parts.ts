/** Parts of a venue without which it still takes orders and cancels. */
export const degradableParts = ['history', 'index', 'surface'] as const
export type DegradablePart = (typeof degradableParts)[number]
