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

// Reads between a gateway and the read model. The gateway passes the query text on as it came; the read model
// parses, validates and encodes, so a read costs the gateway two copies of bytes and nothing else.

const request = recordsWith('Request', anyRecord)
const part = recordsWith('Part', anyRecord)

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
      {
        ...{ Portfolio: 1001, PortfolioEnd: 1002, Chain: 1003, ChainEnd: 1004 },
        ...{ Competition: 1005, CompetitionEnd: 1006, Engagement: 1007, EngagementEnd: 1008 },
      },
      'Publishes a portfolio, the options chain, or how a wallet stands in competitions, from now on; or no longer.',
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

/** Between a gateway and the core: what a signed action has come to, which the core keeps for repeats. */
export const lookups: LayoutGroup = {
  file: 'lookups',
  typeName: 'LookupRecord',
  typeDoc:
    'What a gateway asks the core beside its commands, and what comes back. No journal has them.',
  layouts: [
    recordsWith('Request', anyRecord)({ Lookup: 1 }, 'The outcome of an action of a wallet.', [
      i32('slot', "the gateway's, of the waiting read"),
      unused(4),
      address('wallet'),
      unused(4),
      bytes('digest', 32, 'that was signed'),
    ]),
    recordsWith('Reply', anyRecord)({ Found: 2 }, 'What is kept of it.', [
      i32('slot'),
      one('standing', 'OutcomeStanding'),
      one('command', 'CommandType'),
      one('result', 'Result'),
      i32('nonceHigh'),
      i32('nonceLow'),
      i32('keptCount', 'actions of the wallet whose outcomes are kept'),
      i32('keptMax', 'as many as may be: then older ones are forgotten'),
      f64('seq', 'of its answer'),
      f64('millis', 'engine time of its outcome'),
      f64('oldestMillis', 'of the oldest that is kept; 0: there is none'),
      f64('seqNow', 'of the last event that the core has told when it looked'),
      block('facts', orderFacts),
    ]),
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
        i32(
          'subject',
          'instrument of a PositionUpdate, row of the chain, right of a removal, or competition',
        ),
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
    recordsWith('Record', anyRecord)(
      { Notice: 1 },
      'A notification for one subscription, as JSON: where to, for whom, and what.',
      [i32('textBytes'), unused(4), rows('text', 'bytes', 'UTF-8')],
    ),
  ],
}
