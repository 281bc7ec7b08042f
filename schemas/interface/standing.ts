import { list, oneOf, text } from './shape.js'

/**
 * Fields by which each health report says whether a part of the venue is out of service.
 * @param sound Status of the report while none is.
 * @param others Further values of the status.
 */
export function standing<const Sound extends string, const Other extends string = never>(
  sound: Sound,
  ...others: readonly Other[]
) {
  const values: readonly (Sound | 'degraded' | Other)[] = [sound, 'degraded', ...others]
  return {
    status: oneOf(values, '`degraded`: the venue trades, but a part is out of service'),
    'degraded?': list(text(), 'Reasons, one for each part that is out of service; absent: none'),
  }
}

/** Returns the values of these fields. @param reasons One for each part that is out of service. */
export function standingOf<const Sound extends string>(sound: Sound, reasons: readonly string[]) {
  return reasons.length === 0
    ? { status: sound }
    : { status: 'degraded' as const, degraded: reasons }
}
