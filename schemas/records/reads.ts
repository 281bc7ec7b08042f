import { address, f64, i32, type LayoutGroup, recordsWith, rows, unused } from './layout.js'
import { wordPair } from './parts.js'

// Reads between a gateway and the read model. The gateway passes the query text on as it came; the read model
// parses, validates and encodes, so a read costs the gateway two copies of bytes and nothing else.

const request = recordsWith('Request', wordPair)
const part = recordsWith('Part', wordPair)

/** Gateway to read model, on the read ring. */
export const reads: LayoutGroup = {
  file: 'reads',
  typeName: 'WatchRecord',
  typeDoc:
    'What a gateway wants published, on the read ring in turn with the reads; types above every read. For a wallet ' +
    'that is watched already, Portfolio is its snapshot alone.',
  layouts: [
    request(
      {},
      "The type is the endpoint's place in `readModelKeys`, or `tablesRequest`.",
      [
        i32('slot', "the gateway's, of the waiting read"),
        i32('logOffset', 'that the answer must include'),
        f64('arrivedMillis', "by the gateway's clock; 0: unknown"),
        i32('queryBytes'),
        rows('query', 'bytes'),
      ],
      { name: 'Read' },
    ),
    request(
      { Portfolio: 1001, PortfolioEnd: 1002, Chain: 1003, ChainEnd: 1004 },
      'Publishes a portfolio, or the options chain, from now on, all of it first; or no longer.',
      [
        i32('slot', 'above 0: comes back with the snapshot, and with all rows of a chain'),
        i32('logOffset', 'that the snapshot must include'),
        address('wallet', 'zeros on the chain'),
        unused(4),
      ],
      { name: 'Watch' },
    ),
  ],
}

/** Read model to gateway, on the reply ring. */
export const replies: LayoutGroup = {
  file: 'replies',
  typeName: 'ReplyRecord',
  typeDoc:
    "What comes back: the body of a reply or publication in one or more records, never mixed with another's.",
  layouts: [
    part(
      { Part: 1, Last: 2 },
      'Of the reply to the read of the same slot.',
      [
        i32('slot'),
        i32('status', 'of HTTP'),
        i32('bodyBytes', 'in this record'),
        unused(4),
        rows('body', 'bytes'),
      ],
      { name: 'Reply' },
    ),
    part(
      { PushPart: 3, PushLast: 4 },
      'Of a publication.',
      [
        i32('slot', 'of the watch; portfolio: of the one that the snapshot is for, 0 for all'),
        i32('kind', 'PushKind'),
        i32('bodyBytes', 'in this record'),
        i32('subject', 'instrument of a PositionUpdate, row of the chain, right of a removal'),
        f64('seq', 'of the engine, that it includes'),
        address('wallet', 'zeros on the chain'),
        unused(4),
        rows('body', 'bytes'),
      ],
      { name: 'Push' },
    ),
  ],
}

/** Read model to whoever sends notifications, on the notice ring. */
export const notices: LayoutGroup = {
  file: 'notices',
  typeName: 'NoticeType',
  typeDoc: 'What a browser is to be told.',
  layouts: [
    recordsWith('Record', wordPair)(
      { Notice: 1 },
      'A notification for one subscription, as JSON: where to, for whom, and what.',
      [i32('textBytes'), unused(4), rows('text', 'bytes', 'UTF-8')],
    ),
  ],
}
