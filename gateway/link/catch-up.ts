import { setTimeout } from 'node:timers/promises'
import { AnyEvent } from '../../schemas/generated/events.js'
import { type RecordViews, viewsOf } from '../../schemas/record-views.js'
import { tablesRequest } from './read-protocol.js'
import type { ReadClient } from './reads.js'

/** The gateways' tables from the read model, as events, at one offset of the event log. */
export interface Tables {
  readonly logOffset: number
  /** Sequence of the last event in them. */
  readonly seq: number
  readonly records: RecordViews
}

const pollMillis = 1

/**
 * Requests the tables from the read model, when nothing else takes its replies.
 * @param nowMillis Time that the expiry of reads counts from.
 * @param isOver Returns true to give up, because the gateway stops.
 * @returns Null if the request must be retried.
 */
export async function requestTables(
  reads: ReadClient,
  nowMillis: number,
  isOver: () => boolean,
): Promise<Tables | null> {
  let tables: Tables | null | undefined
  const refused = reads.ask(tablesRequest, '', nowMillis, (status, body) => {
    tables = status === 200 ? readTables(body) : null
  })
  if (refused !== null) return null
  while (tables === undefined && !isOver()) {
    reads.takeReplies()
    await setTimeout(pollMillis)
  }
  return tables ?? null
}

export function visitEvents(records: RecordViews, visit: (event: AnyEvent) => void): void {
  const event = new AnyEvent()
  for (let at = 0; at < records.u8.length; at += event.recordBytes) visit(event.over(records, at))
}

function readTables(body: Uint8Array): Tables {
  const { logOffset, records, as_of_seq: seq } = JSON.parse(Buffer.from(body).toString('latin1'))
  const bytes = Buffer.from(records, 'base64')
  // The copy has its own buffer, so it is aligned.
  return { logOffset, seq, records: viewsOf(new Uint8Array(bytes).buffer) }
}
