import { list, text } from './shape.js'

/** Field by which each health report names the parts of the venue that are out of service. */
export const degradedFields = {
  'degraded?': list(text(), 'Reasons, one per part that is out of service; absent: none'),
}

/** Returns that field for these reasons; without one it is absent. */
export function degradedOf(reasons: readonly string[]): { readonly degraded?: readonly string[] } {
  return reasons.length === 0 ? {} : { degraded: reasons }
}
