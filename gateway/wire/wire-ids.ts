// Public clients reject an id of 0, and the engine counts instruments from 0, so ids on the wire start at 1.

/** Converts an instrument's id, or a perp's asset number, to the wire. */
export function wireIdOf(instrument: number): number {
  return instrument + 1
}

/** Converts a wire id to the engine's instrument; -1 for 0, which is unused. */
export function instrumentOfWireId(id: number): number {
  return id - 1
}
