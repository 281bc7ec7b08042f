import {
  decimalCharsMax,
  lotsPerContract,
  microsPerUsd,
  sizeLotsMax,
} from '../../schemas/bounds.js'
import { recoveries, withdrawnPrefix } from '../../schemas/interface/channels.js'
import type { Config } from '../config/config-schema.js'
import { engineConfigOf } from '../config/engine-config.js'
import { exposedHeaders } from '../http/http-answer.js'
import { removedPaths } from '../http/router.js'
import { arrivalLimits } from '../limits/arrivals.js'
import {
  providerWaitingBytesMax,
  waitingBytesMax,
  waitingFramesMax,
} from '../limits/waiting-limits.js'
import { readWaitMillisMax } from '../link/read-protocol.js'
import { authReasons } from '../providers/provider-messages.js'
import { closeCodes } from '../transport/close-codes.js'
import { streamPaths } from '../transport/stream-paths.js'
import { shownCharsMax } from '../wire/shown-text.js'
import { slowCauses } from '../ws/session.js'
import { subscribedSymbolsMax } from '../ws/subscriptions.js'
import { closeActions } from './close-code-rows.js'
import { tradingSections } from './procedures.js'

// Prose of both documents about rules that no schema can state.

type Json = Readonly<Record<string, unknown>>

const { clients, providers } = streamPaths
const decimalsOf = Math.log10

/** Returns the rules for every HTTP request as Markdown. */
export function httpRules(config: Config): string {
  const own = [requests(config), answers, signing(config), windows(config), deprecations(config)]
  return sectionsText([...own, ...tradingSections(engineConfigOf(config))])
}

/** Returns the rules for the streams as Markdown. */
export function streamRules(config: Config): string {
  const own = [frames(config), endings(config), providerRules(config)]
  return sectionsText([...own, ...tradingSections(engineConfigOf(config))])
}

/** Lines under one heading. */
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
  const unknown =
    compat.unknownFields === 'refuse' ? 'makes a request fail' : 'is ignored by this venue'
  return {
    title: 'Requests',
    lines: [
      'A body is JSON, also of DELETE, whatever its Content-Type. If it has a key twice, the last one counts. A body above ' +
        '`x-limits.body_bytes` fails with 413 `payload_too_large`.',
      `A field or parameter that an operation does not know ${unknown}. On \`/v1/actions/\` and \`/perp-order\` it always ` +
        'makes the request fail, and so does a known name in another case or with other underscores.',
      'A flag in a query is `true`, `false`, `1` or `0`. A parameter that is given twice fails with 400 `invalid_parameter`.',
      `\`min_seq\` makes a read wait until its answer includes that sequence, at most ${readWaitMillisMax / 1000} seconds, then ` +
        'it fails with 503 `not_ready`. `as_of_seq` of an answer is the sequence that it includes. An answer always includes ' +
        'the acknowledged writes of the requester.',
      'The venue checks a signed write in this order: size and JSON, missing fields, types, values, signature, signer, ' +
        'duplicates and nonce, rate limits, caps, then the rules of trading. The first check that fails gives the error.',
      'An unknown path answers 404 `not_found` to GET, and 400 `unsupported_endpoint` to other methods; `message` names a ' +
        'served path of similar spelling. A path that has other methods answers 405 `method_not_allowed`, with `Allow`. ' +
        `Removed paths answer 404 to any method: ${codes(removedPaths)}.`,
    ],
  }
}

const answers: Section = {
  title: 'Answers',
  lines: [
    'Act on `code` of an error, `status` of an order and `reason_code`. `message` and `reason` may change. Expect codes that ' +
      'you do not know.',
    'The JSON-RPC reads answer a missing instrument with 200, `result` null and the numeric code 13020. All their other ' +
      'failures are ordinary errors.',
    'Lists begin with the newest row unless their operation says otherwise. Times are Unix milliseconds. Exceptions: `expiry` ' +
      'is in seconds, and `created_at` and `updated_at` are ISO texts unless their schema says otherwise.',
    `A browser may read these headers from any origin: ${exposedHeaders}.`,
  ],
}

function signing({ limits }: Config): Section {
  return {
    title: 'Signing',
    lines: [
      'A signature is 65 bytes: r, s, v. v is 27 or 28; 0 and 1 are accepted too. An s in the upper half of the curve order ' +
        'fails. A signature that recovers no address fails with 400 `signature_verification_failed`. A signer that may not act ' +
        'for the wallet fails with 401 `unauthorized`.',
      'Texts are hashed exactly as they are in the body: `100` and `100.0` are different messages. The case of an address ' +
        'does not matter.',
      'The wallet approves an agent once (POST /approve-agent). The agent then signs with `wallet` set to the wallet. Orders of ' +
        'an agent stay when the agent is revoked.',
      'A nonce works once for its wallet, in any order, with gaps. Only an accepted action uses it up: a failed or rejected ' +
        'one may be sent again. The same signed payload again gets its first result, for at least the latest ' +
        `${limits.outcomesKept}. Another payload with a used nonce is rejected, or fails with 409 \`conflict\` where there is no ` +
        `order status. The venue knows the ${limits.noncesKept} highest used nonces, of owner and agents each. No nonce below ` +
        'them works.',
    ],
  }
}

function windows({ limits }: Config): Section {
  return {
    title: 'Limits',
    lines: [
      'Rate limits count in windows of 60 seconds that begin with the minute. HTTP and stream share them. `x-rate-limit` of an ' +
        'operation has its category, whose window it counts in, and its cost. `x-limits.tiers` has the limits of each tier. A ' +
        'write counts after signature and authorization. A read that names a wallet counts for the client address and that ' +
        'wallet.',
      'A list costs one per item. If its items do not all fit in the window, the whole list fails and nothing is done. For ' +
        'several wallets the headers show the window with the least left.',
      'Over the limit: 429 `rate_limit_exceeded` with `retry_after_secs` and `limit`, and `Retry-After`. Every answer that ' +
        'counted has the `X-RateLimit-` headers.',
      'Working orders and positions have caps by tier: 403 `limit_exceeded`, in a list at its item. -1 is unlimited.',
      `A client address has ${limits.failedRecoveriesPerMinute} failed signatures a minute, and ` +
        `${limits.connectionsPerAddressMax} connections. Beyond them its requests fail with 429.`,
      `Resumes send at most ${limits.resumedMessagesPerMinute} messages a minute again to a client address, and as many to a ` +
        'wallet with a read session. Beyond that `resume_unavailable` has `retry_after_secs` and `limit`.',
      `An order has at most ${sizeLotsMax / lotsPerContract} contracts, in steps of 1e-${decimalsOf(lotsPerContract)}. Money is in ` +
        `steps of 1e-${decimalsOf(microsPerUsd)} USD. A value off these steps fails; the venue never rounds it.`,
      `A number as text has at most ${decimalCharsMax} characters, in requests and in the quotes of providers. A request with a ` +
        'longer one fails. A row of quotes with a longer one is left out, and `error` names it.',
      `An error repeats at most ${shownCharsMax} characters of a text of the request.`,
    ],
  }
}

function deprecations({ deprecation }: Config): Section {
  const { sunset, removalUnix, warning } = deprecation
  return {
    title: 'Deprecated',
    lines: [
      `POST /order without \`route\` is taken as \`best_execution\`. Its answer has \`Deprecation: ${deprecation.deprecation}\`, ` +
        `\`Sunset: ${sunset}\`, \`X-Deprecation-Removal-Unix: ${removalUnix}\` and \`Warning: ${warning}\`.`,
      '`username` of GET /profile may be removed from 7 September 2026 on. Use GET /username. If that answers 404, derive a ' +
        'name from the wallet.',
      `The query \`?wallet=\` of ${clients}. Use Authenticate.`,
    ],
  }
}

function frames(config: Config): Section {
  const { stream } = config
  return {
    title: `Frames of ${clients}`,
    lines: [
      'A frame is one JSON object as text, and `type` is its type. The venue answers a frame that is not JSON, malformed, ' +
        'binary or of an unknown type with Error, and keeps the connection. A rejected order is not an Error.',
      `The venue pings every ${stream.pingMillis / 1000} seconds. It answers a ping of the client with a pong of the same payload.`,
      'Public channels and ClockSync need no identity. A private channel without one gets Error `Authentication required for ' +
        'this channel`. A second Authenticate with another wallet ends the subscriptions to private channels. The query ' +
        '`?wallet=` does the same as Authenticate, without an answer; it is deprecated.',
      'Each Subscribe and Unsubscribe has an acknowledgement of its own, in their order, before the snapshot. Subscriptions of ' +
        'one channel with different filters coexist, and a message arrives once. Unsubscribe without filters ends them all.',
      `Private and ordered channels send their messages in order of \`seq\`. Channels named \`${withdrawnPrefix}...\` are withdrawn.`,
      `A connection has at most ${stream.maxSubscriptions} subscriptions, whose filters name at most ` +
        `${subscribedSymbolsMax(config)} symbols in all. Beyond either, Subscribe fails with \`limit_exceeded\`, and the message ` +
        'has the count and the limit. A symbol counts if it has the form of a name that the channel can match, listed or not; ' +
        `a text of another form does not count. One frame names at most ${stream.maxSymbolsPerFrame} symbols.`,
      `At most ${stream.commandsInFlightMax} signed frames of a connection are under way; one more fails with \`engine_busy\`.`,
      'A frame has at most `x-limits.frame_bytes` bytes. While the streams of an address, or of all, hold too much memory, a ' +
        'new stream takes frames of at most `x-limits.crowded_frame_bytes` bytes.',
      'Signed frames count in the same windows as their HTTP requests, after signature and authorization. Over the limit: ' +
        'Error `rate_limit_exceeded` with `retry_after_secs` and `limit`, without headers.',
    ],
  }
}

function endings({ stream }: Config): Section {
  const { queueMessages, queueBytes, queueAgeMillis, writeTimeoutMillis } = stream
  return {
    title: 'When a connection ends',
    lines: [
      '`x-close-codes` has every code with its reason, and with what the client should do (`action_code`, and `action` for ' +
        'people). Libraries report 1006 if a connection ends without a close frame: connect again. The venue answers a ' +
        'close frame of the client with the same code.',
      ...Object.entries(closeActions).map(([name, text]) => `\`${name}\`: ${text}.`),
      `The venue closes a slow consumer at more than ${queueMessages} queued messages, ${queueBytes} queued bytes, a message ` +
        `queued for ${queueAgeMillis / 1000} seconds, or a write that takes ${writeTimeoutMillis / 1000} seconds. A client that ` +
        'does not take the close frame gets no reason. `x-slow-consumer` describes the reason. These limits do not apply to ' +
        `${providers}.`,
      'Frames that arrive faster than the venue can process them wait. The venue closes a connection that sends many more, ' +
        'with 1008 and the reason `{"error":"flood","cause":...}`. It serves connections whose signed orders and cancels it ' +
        'accepts before all others.',
      `Of one connection at most ${waitingFramesMax} frames and ${waitingBytesMax} bytes wait; after the handshake of a ` +
        `provider ${providerWaitingBytesMax} bytes. All connections of a gateway thread share ${arrivalLimits.itemsMax} frames ` +
        `and ${arrivalLimits.bytesMax} bytes, in equal parts by client address and within it by connection. A connection may ` +
        `always have ${arrivalLimits.sourceItemsMin} frames and ${arrivalLimits.sourceBytesMin} bytes. A venue on the Node ` +
        'transport stops reading a connection while a frame of it waits, so there the rest waits at the client, and the ' +
        'causes `frame_limit` and `byte_limit` are rare. `x-limits.waiting` has these figures.',
      'Connect, Authenticate and Subscribe again. Snapshots restore ordered data. HTTP reads have the messages that private ' +
        'channels sent in between. The venue sends nothing again unless a Subscribe asks for it with `from_seq`.',
    ],
  }
}

function providerRules({ quotes, stream }: Config): Section {
  return {
    title: `Frames of ${providers}`,
    lines: [
      `The first frame is connect_quote_provider, within ${quotes.authTimeoutMillis / 1000} seconds. Its \`timestamp\` is at most ` +
        `${quotes.connectMaxSkewMillis / 1000} seconds off. The venue sends nothing before its answer. A handshake that fails ` +
        `gets \`auth_failed\` and a close, whose reason is one of: ${codes(Object.values(authReasons))}.`,
      `An indicative row ends unless it is sent again within ${quotes.ttlMillis / 1000} seconds. All rows of a wallet end with ` +
        'its last session. A wallet has one row per instrument, the latest. The venue passes texts on as it received them.',
      'A newer firm quote replaces an older one. A decline withdraws it.',
      `The venue pings every ${stream.pingMillis / 1000} seconds. It closes a session with more than ${quotes.queueBytes} bytes queued.`,
    ],
  }
}

/** Describes the reason of the close of a slow consumer. */
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

function codes(texts: Iterable<string>): string {
  return [...texts].map((text) => `\`${text}\``).join(', ')
}
