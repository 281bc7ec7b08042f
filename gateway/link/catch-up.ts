import { AnyEvent } from '../../schemas/generated/events.js'
import { type RecordViews, viewsOf } from '../../schemas/record-views.js'
import { tablesRequest } from './read-protocol.js'
import type { ReadClient } from './reads.js'

/** What the read model knows of the tables that gateways keep, as events, at one position of the event log. */
export interface Tables {
  readonly position: number
  /** Sequence of the last event in them. */
  readonly seq: number
  readonly records: RecordViews
}

const pollMillis = 1

/**
 * Asks the read model for the tables while nobody else takes its replies.
 * @param nowMillis the time that reads expire by.
 * @param isOver gives up: the gateway ends.
 * @returns null when they are to be asked for again.
 */
export function askTables(
  reads: ReadClient,
  nowMillis: number,
  isOver: () => boolean,
): Promise<Tables | null> {
  return new Promise((resolve) => {
    let isSettled = false
    const settle = (tables: Tables | null) => {
      isSettled = true
      resolve(tables)
    }
    const refused = reads.ask(tablesRequest, '', nowMillis, (status, body) =>
      settle(status === 200 ? readTables(body) : null),
    )
    if (refused !== null) settle(null)
    const poll = () => {
      if (isSettled) return
      if (isOver()) settle(null)
      else {
        reads.takeReplies()
        setTimeout(poll, pollMillis)
      }
    }
    poll()
  })
}

export function visitEvents(records: RecordViews, visit: (event: AnyEvent) => void): void {
  const event = new AnyEvent()
  for (let at = 0; at < records.u8.length; at += event.recordBytes) visit(event.over(records, at))
}

function readTables(body: Uint8Array): Tables {
  const { position, records, as_of_seq: seq } = JSON.parse(Buffer.from(body).toString('latin1'))
  const bytes = Buffer.from(records, 'base64')
  // In memory of its own, so aligned.
  return { position, seq, records: viewsOf(new Uint8Array(bytes).buffer) }
}
