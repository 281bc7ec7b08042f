import type { EventLogReader } from '../engine/memory/event-log.js'
import { AnyEvent } from '../schemas/generated/events.js'

/** Shows every event that waits in a log, and lets it go. */
export function followEvents(log: EventLogReader, take: (event: AnyEvent) => void): void {
  const event = new AnyEvent()
  for (let at = log.next(); at >= 0; at = log.next()) take(event.over(log, at))
  log.release()
}
