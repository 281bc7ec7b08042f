import {
  address,
  block,
  bytes,
  f64,
  i32,
  type LayoutGroup,
  one,
  recordsWith,
  rows,
  unused,
} from './layout.js'
import { anyRecord, orderFacts } from './parts.js'

// Reads between a gateway and the read model. The gateway forwards the query text unchanged. The read model parses,
// validates and encodes, so a read costs the gateway two copies of bytes.

const request = recordsWith('Request', anyRecord)
const part = recordsWith('Part', anyRecord)

/** Gateway to read model, on the read ring. */
export const reads: LayoutGroup = {
  file: 'reads',
  typeName: 'WatchRecord',
  typeDoc:
    'Subscriptions of a gateway, on the read ring among the reads; types above every read. For a wallet ' +
    'that is already watched, Portfolio only returns its snapshot.',
  layouts: [
    request(
      {},
      "The type is the endpoint's index in `readModelKeys`, or `tablesRequest`.",
      [
        i32('slot', "the gateway's, of the waiting read"),
        i32('logOffset', 'that the reply must include'),
        f64('arrivedMillis', "by the gateway's clock; 0: unknown"),
        i32('queryBytes'),
        rows('query', 'bytes'),
      ],
      { name: 'Read' },
    ),
    request(
      {
        ...{ Portfolio: 1001, PortfolioEnd: 1002, Chain: 1003, ChainEnd: 1004 },
        ...{ Competition: 1005, CompetitionEnd: 1006, Engagement: 1007, EngagementEnd: 1008 },
      },
      "Starts or ends the publication of a portfolio, the options chain, or a wallet's competition standings.",
      [
        i32('slot', 'if positive, returned with the snapshot and with all rows of a chain'),
        i32('logOffset', 'that the snapshot must include'),
        address('wallet', 'zeros on the chain'),
        unused(4),
      ],
      { name: 'Watch' },
    ),
  ],
}

/** Lookups between a gateway and the core: the result of a signed action, which the core keeps for duplicates. */
export const lookups: LayoutGroup = {
  file: 'lookups',
  typeName: 'LookupRecord',
  typeDoc:
    'Requests of a gateway to the core other than commands, and replies. They are not journaled.',
  layouts: [
    recordsWith('Request', anyRecord)(
      { Lookup: 1 },
      'Lookup of the result of an action of a wallet.',
      [
        i32('slot', "the gateway's, of the waiting read"),
        unused(4),
        address('wallet'),
        unused(4),
        bytes('digest', 32, 'that was signed'),
      ],
    ),
    recordsWith('Reply', anyRecord)({ Found: 2 }, 'Stored result of the action.', [
      i32('slot'),
      one('standing', 'OutcomeStanding'),
      one('command', 'CommandType'),
      one('result', 'Result'),
      i32('nonceHigh'),
      i32('nonceLow'),
      i32('keptCount', 'number of stored results of the wallet'),
      i32('keptMax', 'maximum number; older ones are dropped'),
      f64('seq', 'of its answer'),
      f64('millis', 'engine time of its result'),
      f64('oldestMillis', 'of the oldest stored one; 0: none'),
      f64('seqNow', 'of the last published event at the lookup'),
      block('facts', orderFacts),
    ]),
  ],
}

/** Read model to gateway, on the reply ring. */
export const replies: LayoutGroup = {
  file: 'replies',
  typeName: 'ReplyRecord',
  typeDoc:
    "Body of a reply or publication in one or more records, never interleaved with another's.",
  layouts: [
    part(
      { Part: 1, Last: 2 },
      'Part of the reply to the read of the same slot.',
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
      'Part of a publication.',
      [
        i32('slot', 'of the watch; portfolio: of the watch for a snapshot, 0 for all'),
        i32('kind', 'PushKind'),
        i32('bodyBytes', 'in this record'),
        i32(
          'subject',
          'instrument of a PositionUpdate, row of the chain, right of a removal, or competition',
        ),
        f64('seq', 'engine sequence that it includes'),
        address('wallet', 'zeros on the chain'),
        unused(4),
        rows('body', 'bytes'),
      ],
      { name: 'Push' },
    ),
  ],
}

/** Read model to the push sender, on the notice ring. */
export const notices: LayoutGroup = {
  file: 'notices',
  typeName: 'NoticeType',
  typeDoc: 'Browser notifications.',
  layouts: [
    recordsWith('Record', anyRecord)(
      { Notice: 1 },
      'A notification for one subscription, as JSON: endpoint, recipient and content.',
      [i32('textBytes'), unused(4), rows('text', 'bytes', 'UTF-8')],
    ),
  ],
}
