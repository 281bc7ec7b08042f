import type { ReadRow, ServiceRow } from './read.js'
import { reads } from './reads.js'
import { services } from './venue.js'
import type { WriteRow } from './write.js'
import { writes } from './writes.js'

/** Every operation of the public interface by method and path. */
export const operationRows: Readonly<Record<string, ReadRow | WriteRow | ServiceRow>> = {
  ...services,
  ...reads,
  ...writes,
}
