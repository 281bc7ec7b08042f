import {
  decimalCharsMax,
  lotsPerContract,
  microsPerUsd,
  sizeLotsMax,
} from '../../schemas/bounds.js'
import type { Config } from '../config/config-schema.js'
import { engineConfigOf } from '../config/engine-config.js'
import { exposedHeaders } from '../http/http-answer.js'
import { removedPaths } from '../http/router.js'
import { readWaitMillisMax } from '../link/read-protocol.js'
import { authReasons } from '../providers/provider-messages.js'
import { queueClose } from '../providers/provider-session.js'
import { closeCodes } from '../transport/close-codes.js'
import { streamPaths } from '../transport/stream-paths.js'
import { shownCharsMax } from '../wire/shown-text.js'
import { type Channel, recoveries, withdrawnPrefix } from '../ws/channels.js'
import { controlFramesMax, floodCauses, floodClose, unparsedFramesMax } from '../ws/flood-close.js'
import { pongMissed } from '../ws/heartbeat.js'
import { idleClose, slowCauses } from '../ws/session.js'
import { tradingSections } from './procedures.js'

// What holds for all requests, and stands in no schema: told in the words of both documents, under headings.

type Json = Readonly<Record<string, unknown>>

const { clients, providers } = streamPaths
const decimalsOf = Math.log10

/** What holds for every request by HTTP, as Markdown. */
export function httpRules(config: Config): string {
  const own = [requests(config), answers, signing(config), windows(config), deprecations(config)]
  return sectionsText([...own, ...tradingSections(engineConfigOf(config))])
}

/** What holds for the streams, as Markdown. */
export function streamRules(config: Config): string {
  const own = [frames(config), endings(config), providerRules(config)]
  return sectionsText([...own, ...tradingSections(engineConfigOf(config))])
}

/** What is told under one heading. */
export interface Section {
  readonly title: string
  readonly lines: readonly string[]
}

function sectionsText(sections: readonly Section[]): string {
  return sections
    .map(({ title, lines }) => [`## ${title}`, '', ...lines.map((line) => `- ${line}`)].join('\n'))
    .join('\n\n')
}

function requests({ compat }: Config): Section {
  const unknown = compat.unknownFields === 'refuse' ? 'refused' : 'ignored'
  return {
    title: 'Requests',
    lines: [
      'A body is JSON, of DELETE too, whatever its Content-Type; of a key given twice the last one counts. At most ' +
        '`x-limits.body_bytes`, else 413 `payload_too_large`.',
      `Fields and parameters that an operation does not know are ${unknown} by this venue; those of \`/v1/actions/\` and ` +
        '`/perp-order` are refused by every venue, and so is a name that equals a known one up to case and underscores.',
      'A flag in a query is `true`, `false`, `1` or `0`. A parameter given twice is 400 `invalid_parameter`.',
      `\`min_seq\` has a read wait until its answer includes that sequence, at most ${readWaitMillisMax / 1000} seconds, then ` +
        '503 `not_ready`. `as_of_seq` of an answer says what it includes; one’s own acknowledged writes are always.',
      'A signed write is checked in this order: size and JSON, fields that lack, types, values, signature, who signed, ' +
        'repeats and nonce, windows, caps, then trading. The first that fails is told.',
      'An unknown path answers 404 `not_found` to GET, 400 `unsupported_endpoint` to other methods; a path that has other ' +
        `methods 405 \`method_not_allowed\`, with \`Allow\`. Removed for good, 404 by any method: ${codes(removedPaths)}.`,
    ],
  }
}

const answers: Section = {
  title: 'Answers',
  lines: [
    'Act on `code` of an error, on `status` of an order and on `reason_code`: `message` and `reason` may change. A code that ' +
      'a client does not know is to be expected.',
    'The JSON-RPC reads answer a missing instrument 200 with `result` null and the numeric code 13020; all else that they ' +
      'refuse is an ordinary error.',
    'Lists begin with the newest row unless they say otherwise. Times are Unix milliseconds, `expiry` is in seconds, ' +
      '`created_at` and `updated_at` are ISO texts unless their schema says otherwise.',
    `A browser may read these headers from any origin: ${exposedHeaders}.`,
  ],
}

function signing({ limits }: Config): Section {
  return {
    title: 'Signing',
    lines: [
      'A signature is 65 bytes: r, s, v; v is 27 or 28, 0 and 1 do, too; an s in the upper half of the curve is refused. ' +
        'What recovers nobody is 400 `signature_verification_failed`, somebody who may not sign 401 `unauthorized`.',
      'Texts are hashed letter by letter as they stand in the body: `100` and `100.0` are different messages. The case of an ' +
        'address does not matter.',
      'An agent is approved once by the wallet (POST /approve-agent), and signs with `wallet` set to the wallet. What it has ' +
        'placed stays when it is revoked.',
      'A nonce works once for its wallet, in any order, with gaps. It is used up only when an action is accepted: a refused ' +
        'or rejected one may be sent again. The same signed payload again is answered by its first outcome, of the latest ' +
        `${limits.outcomesKept} at least; another payload with a used nonce is rejected, or 409 \`conflict\` where there is no ` +
        `order status. The ${limits.noncesKept} highest used ones are known, of owner and agents each; below them none works.`,
    ],
  }
}

function windows({ limits }: Config): Section {
  return {
    title: 'Limits',
    lines: [
      'Windows last 60 seconds and begin with the minute. HTTP and stream share them. `x-rate-limit` of an operation says ' +
        'which one it counts in, for whom, and what it costs; `x-limits.tiers` has how much of each a wallet may. It counts ' +
        'behind signature and authorization; a read that names a wallet counts for the client address and that wallet.',
      'A list costs one an item; where its items do not fit whole in what is left, it is refused whole and nothing runs. Of ' +
        'several wallets the headers show the window with the least left.',
      'Over a window: 429 `rate_limit_exceeded` with `retry_after_secs` and `limit`, and `Retry-After`. The `X-RateLimit-` ' +
        'headers stand on every answer that was counted.',
      'Working orders and positions have caps by tier: 403 `limit_exceeded`, in a list at its item. -1 is unlimited.',
      `A client address has ${limits.failedRecoveriesPerMinute} failed signatures a minute, ` +
        `${limits.connectionsPerAddressMax} connections; then 429.`,
      `Resumes tell a client address ${limits.resumedMessagesPerMinute} messages a minute, and as many a wallet that has shown its ` +
        'session of reads; beyond them `resume_unavailable` has `retry_after_secs` and `limit`.',
      `An order is at most ${sizeLotsMax / lotsPerContract} contracts, in steps of 1e-${decimalsOf(lotsPerContract)}; money is in ` +
        `steps of 1e-${decimalsOf(microsPerUsd)} USD. What does not fit is refused, never rounded.`,
      `A number as text has at most ${decimalCharsMax} characters, in requests and in the quotes of providers: a request with a ` +
        'longer one fails, a row of quotes is left out and named in `error`.',
      `An error repeats at most ${shownCharsMax} characters of a text of the request.`,
    ],
  }
}

function deprecations({ deprecation }: Config): Section {
  const { sunset, removalUnix, warning } = deprecation
  return {
    title: 'Deprecated',
    lines: [
      `POST /order without \`route\` is taken as \`best_execution\`, and answered with \`Deprecation: ${deprecation.deprecation}\`, ` +
        `\`Sunset: ${sunset}\`, \`X-Deprecation-Removal-Unix: ${removalUnix}\` and \`Warning: ${warning}\`.`,
      '`username` of GET /profile may be removed from 7 September 2026 on: GET /username has it; where that answers 404, ' +
        'derive a name from the wallet.',
      `The query \`?wallet=\` of ${clients}: Authenticate does it.`,
    ],
  }
}

function frames({ stream }: Config): Section {
  return {
    title: `Frames of ${clients}`,
    lines: [
      'A frame is one JSON object as text; `type` says what it is. What is none, of an unknown type, ill-formed or binary is ' +
        'answered by Error, and the connection stays. A rejection of trading is no Error.',
      `The venue pings every ${stream.pingMillis / 1000} seconds; a client’s own ping is answered by its payload.`,
      'Public channels and ClockSync need no name; a private one without answers Error `Authentication required for this ' +
        'channel`. Another wallet in a second Authenticate ends subscriptions to private channels. The query ' +
        '`?wallet=` does the same as Authenticate, without an answer; it is deprecated.',
      'Every Subscribe and Unsubscribe is answered by one of its own, in their order, before the snapshot. Subscriptions of a ' +
        'channel with other filters live side by side, and a message comes once; Unsubscribe without filters ends them all.',
      `Private and ordered channels tell in order of \`seq\`. Channels named \`${withdrawnPrefix}...\` are withdrawn.`,
      `At most ${stream.maxSubscriptions} subscriptions with ` +
        `${stream.maxSymbolsPerFrame + stream.maxSubscriptions} symbols in all, else Error \`limit_exceeded\`; ` +
        `${stream.maxSymbolsPerFrame} symbols in a frame; ` +
        `${stream.commandsInFlightMax} signed frames under way, then Error \`engine_busy\`.`,
      'A frame has at most `x-limits.frame_bytes` bytes. While the streams of an address, or of all, hold too much memory, a ' +
        'new stream takes frames of at most `x-limits.crowded_frame_bytes` bytes.',
      'Signed frames count in the same windows as their twins by HTTP, behind signature and authorization; over one: Error ' +
        '`rate_limit_exceeded` with `retry_after_secs` and `limit`, without headers.',
    ],
  }
}

function endings({ stream }: Config): Section {
  const { queueMessages, queueBytes, queueAgeMillis, writeTimeoutMillis } = stream
  return {
    title: 'When a connection ends',
    lines: [
      '`x-close-codes` has every code with its reason.',
      `A slow consumer is ended by more than ${queueMessages} queued messages, ${queueBytes} queued bytes, a message queued for ` +
        `${queueAgeMillis / 1000} seconds, or a write that takes ${writeTimeoutMillis / 1000}; where one cannot take the close ` +
        `frame there is no reason. \`x-slow-consumer\` has what the reason says. ${providers} is exempt.`,
      'Frames that arrive faster than the venue can work on them wait. It closes a connection that sends many more, with ' +
        '1008 and the reason `{"error":"flood","cause":...}`. A connection whose signed orders and cancels the venue accepts ' +
        'is served before all others.',
      'Connect, Authenticate and Subscribe again; snapshots say how ordered data stands, reads by HTTP what private channels ' +
        'have told meanwhile. Nothing is told again unless a Subscribe asks for it by `from_seq`.',
    ],
  }
}

function providerRules({ quotes, stream }: Config): Section {
  return {
    title: `Frames of ${providers}`,
    lines: [
      `The first frame is connect_quote_provider, within ${quotes.authTimeoutMillis / 1000} seconds, its \`timestamp\` at most ` +
        `${quotes.connectMaxSkewMillis / 1000} seconds off; before its answer nothing is sent. What fails is \`auth_failed\` and ` +
        `a close; its reason is one of: ${codes(Object.values(authReasons))}.`,
      `An indicative row that does not come again within ${quotes.ttlMillis / 1000} seconds is gone, and all are when the last ` +
        'session of a wallet ends. One row for a wallet and instrument: the latest one. Texts are passed on as they came.',
      'A newer firm quote takes the place of an older one; a decline takes it back.',
      `The venue pings every ${stream.pingMillis / 1000} seconds. More than ${quotes.queueBytes} bytes that wait end a session.`,
    ],
  }
}

/** Conditions under which a stream is closed that sends too much. */
const floodWords: Readonly<Record<(typeof floodCauses)[number], string>> = {
  frame_limit: 'more frames of the connection wait than the venue keeps',
  byte_limit: 'the frames of the connection that wait are larger than the venue keeps',
  unparsed_frames: `more than ${unparsedFramesMax} frames in a minute are no JSON object`,
  control_frames: `more than ${controlFramesMax} pings and pongs in a minute`,
}

/** Every code by which a connection is closed. */
export function closeCodeRows({ stream, quotes }: Config): readonly Json[] {
  const tooLarge = { code: closeCodes.tooLarge, reason: 'frame too large' }
  const both = [clients, providers]
  return [
    { paths: both, ...pongMissed, when: `no pong for ${stream.pongTimeoutMillis} ms` },
    { paths: both, ...tooLarge, when: 'a frame is longer than `x-limits` says' },
    ...floodCauses.map((cause) => ({
      ...{ paths: both, ...floodClose(cause), when: floodWords[cause] },
    })),
    {
      ...{ paths: [clients], code: closeCodes.policy, reason: 'JSON: see x-slow-consumer' },
      when: 'it does not keep up',
    },
    {
      paths: [clients],
      ...idleClose,
      when: `no subscription, and silent for ${stream.idleMillis} ms`,
    },
    ...Object.values(authReasons).map((reason) => ({
      ...{ paths: [providers], code: closeCodes.policy, reason, when: 'behind auth_failed' },
    })),
    { paths: [providers], ...queueClose, when: `${quotes.queueBytes} bytes wait for it` },
  ]
}

/** What the reason of a close says to a slow consumer. */
export function slowConsumer(): Json {
  const [cause] = slowCauses
  const reason = { error: 'slow_consumer', class: 'ordered_public', cause }
  return {
    code: closeCodes.policy,
    causes: slowCauses,
    recoveries,
    example: JSON.stringify({ ...reason, recovery: recoveries.ordered_public }),
  }
}

/** What each channel tells at first, and when it goes on. */
export function channelWords({ stream }: Config): Readonly<Record<Channel, Json>> {
  const { bookDepth, bookIntervalMillis, chainIntervalMillis } = stream
  const { indexIntervalMillis, indexIdleIntervalMillis } = stream
  const told = (first: string, then: string): Json => ({ on_subscribe: first, then })
  return {
    orderbook: told(
      `the ladder of each book that has or had levels, an emptied one too, ${bookDepth} levels a side`,
      `the whole ladder at once on a change, then at most one in ${bookIntervalMillis} ms; the last state always`,
    ),
    options_chain: told(
      'every row',
      `rows that have changed, each at most once in ${chainIntervalMillis} ms; filters: symbols, expiry, option_type`,
    ),
    trades: told('nothing', 'each trade'),
    market_updates: told('nothing', 'each listing, expiry and delisting'),
    index_prices: told(
      'all known underlyings',
      `on a change, at most every ${indexIntervalMillis} ms, at least every ${indexIdleIntervalMillis} ms`,
    ),
    indicative_market_data: told(
      'each instrument that is quoted',
      'changes of price, size or provider at once; what came again unchanged at most once a second',
    ),
    order_updates: told('nothing', 'each order, each step that has changed it, rejections too'),
    fills: told('nothing', 'each fill'),
    liquidation: told('nothing', 'each change of state'),
    rfq: told('nothing', 'each change of status, live quotes, and what acceptances came to'),
    portfolio: told(
      'Initial, then MarginUpdate',
      'positions, balance and what an expiry has settled at once, margin at most once a second, greeks at most every 5 seconds',
    ),
    competition: told('CompetitionPnlSummary', 'changes at most once a second, and the end'),
    competition_engagement: told(
      'nothing',
      'ranks at most once a second, gaps at most every 5 seconds, and the end',
    ),
  }
}

function codes(texts: Iterable<string>): string {
  return [...texts].map((text) => `\`${text}\``).join(', ')
}
