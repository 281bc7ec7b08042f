import type { EventLogReader } from '../engine/memory/event-log.js'
import { AnyEvent } from '../schemas/generated/events.js'

/** Passes every unread event of a log to `take`, and releases them. */
export function followEvents(log: EventLogReader, take: (event: AnyEvent) => void): void {
  const event = new AnyEvent()
  for (let at = log.next(); at >= 0; at = log.next()) take(event.over(log, at))
  log.release()
}
