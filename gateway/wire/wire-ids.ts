// Public clients refuse an id of 0, and the engine counts instruments from 0: on the wire they count from 1.

/** An instrument's id, and a perp's asset number, as clients know it. */
export function wireIdOf(instrument: number): number {
  return instrument + 1
}

/** The engine's instrument of a wire id; -1 of 0, which is nobody's. */
export function instrumentOfWireId(id: number): number {
  return id - 1
}
