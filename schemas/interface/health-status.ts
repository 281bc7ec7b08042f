import { list, oneOf, text } from './shape.js'

/**
 * Fields by which each health report says whether a part of the venue is out of service.
 * @param healthy Status of the report while none is.
 * @param others Further values of the status.
 */
export function healthStatus<const Healthy extends string, const Other extends string = never>(
  healthy: Healthy,
  ...others: readonly Other[]
) {
  const values: readonly (Healthy | 'degraded' | Other)[] = [healthy, 'degraded', ...others]
  return {
    status: oneOf(values, '`degraded`: the venue trades, but a part is out of service'),
    'degraded?': list(text(), 'Reasons, one for each part that is out of service; absent: none'),
  }
}

/** Returns the values of these fields. @param reasons One for each part that is out of service. */
export function healthStatusOf<const Healthy extends string>(
  healthy: Healthy,
  reasons: readonly string[],
) {
  return reasons.length === 0
    ? { status: healthy }
    : { status: 'degraded' as const, degraded: reasons }
}
