import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { qualitiesOf } from './accept-list.js'
import type { HeaderList, HttpCall } from './transport.js'

/** Content codings, the preferred one first. */
const codings = ['br', 'gzip'] as const
export type Coding = (typeof codings)[number]

/** Answers up to this size are sent as they are. */
export const plainBytesMax = 1024
/** Longest `Accept-Encoding` that is read; a longer one costs too much to parse. */
const acceptCharsMax = 256
/** Bytes that one thread compresses for single answers: in a second, and at most at once. */
const bytesPerSecond = 8 * 1024 * 1024
const burstBytes = 4 * 1024 * 1024
/** Cost of an answer in addition to its bytes: the setup of an encoder takes 0.3 ms, like these bytes. */
const setupBytes = 48 * 1024
const millisPerSecond = 1000
const varyHeader = ['Vary', 'Accept-Encoding'] as const

const runBrotli = promisify(brotliCompress)
const runGzip = promisify<Uint8Array, object, Buffer>(gzip)

type Body = string | Uint8Array

/** Uncompressed body of an answer, and its length. */
interface Plain {
  readonly body: Body
  readonly bytes: number
}

/** Returns the coding that an `Accept-Encoding` prefers; null if it accepts none, or prefers none. */
export function codingOf(acceptEncoding: string): Coding | null {
  if (acceptEncoding === '' || acceptEncoding.length > acceptCharsMax) return null
  const qualities = qualitiesOf(acceptEncoding)
  const qualityOf = (coding: Coding) => qualities.get(coding) ?? qualities.get('*') ?? 0
  const best = qualityOf('gzip') > qualityOf('br') ? 'gzip' : codings[0]
  const quality = qualityOf(best)
  return quality > 0 && quality >= (qualities.get('identity') ?? 0) ? best : null
}

/**
 * Compresses the answers of one thread, on the thread pool and one at a time. It compresses a kept body once for each
 * coding. For all other bodies it has a budget of bytes a second; beyond it, answers are sent uncompressed. So requests
 * cost a bounded share of processor time, whatever they accept.
 *
 * No answer mixes a secret with text of a third party: private reads need a token in a header that a foreign site
 * cannot send. So the length of a compressed answer reveals nothing (BREACH).
 */
export class Compressor {
  readonly #nowMillis: () => number
  readonly #kept = new WeakMap<Uint8Array, Map<Coding, Promise<Uint8Array>>>()
  #latest: Promise<unknown> = Promise.resolve()
  #underWay = 0
  #allowance = burstBytes
  #allowedMillis: number

  constructor(nowMillis: () => number = performance.now.bind(performance)) {
    this.#nowMillis = nowMillis
    this.#allowedMillis = nowMillis()
  }

  /** Number of answers that wait for their compressed body. */
  get underWay(): number {
    return this.#underWay
  }

  /** Returns the call with compressed answers, whose bodies were made for this call. */
  single(call: HttpCall): HttpCall {
    return this.#compressed(call, (plain, coding) => this.#encodeSingle(plain, coding))
  }

  /** Returns the call with compressed answers. A body of bytes is a document: the same object for every call. */
  kept(call: HttpCall): HttpCall {
    return this.#compressed(call, (plain, coding) =>
      typeof plain.body === 'string'
        ? this.#encodeSingle(plain, coding)
        : this.#encodeOnce(plain.body, coding),
    )
  }

  /** Returns null if the budget does not cover the body. */
  #encodeSingle({ body, bytes }: Plain, coding: Coding): Promise<Uint8Array> | null {
    return this.#takes(bytes) ? this.#encode(body, coding, 'fast') : null
  }

  #encodeOnce(document: Uint8Array, coding: Coding): Promise<Uint8Array> {
    const known = this.#kept.get(document) ?? new Map<Coding, Promise<Uint8Array>>()
    this.#kept.set(document, known)
    const encoded = known.get(coding) ?? this.#encode(document, coding, 'small')
    known.set(coding, encoded)
    return encoded
  }

  /** @param encode returns null for an answer that is sent as it is. */
  #compressed(
    call: HttpCall,
    encode: (plain: Plain, coding: Coding) => Promise<Uint8Array> | null,
  ): HttpCall {
    const answer: HttpCall['answer'] = (status, body, headers) => {
      const plain: Plain = { body, bytes: Buffer.byteLength(body) }
      if (plain.bytes <= plainBytesMax) {
        call.answer(status, body, headers)
        return
      }
      const varied: HeaderList = [...headers, varyHeader]
      const sendPlain = () => call.answer(status, body, varied)
      const coding = codingOf(call.acceptEncoding)
      const encoding = coding === null ? null : encode(plain, coding)
      if (coding === null || encoding === null) {
        sendPlain()
        return
      }
      this.#underWay++
      const send = (encoded: Uint8Array) => {
        this.#underWay--
        if (encoded.length >= plain.bytes) sendPlain()
        else call.answer(status, encoded, [...varied, ['Content-Encoding', coding]])
      }
      encoding.then(send, () => {
        this.#underWay--
        sendPlain()
      })
    }
    return { ...call, answer, cutOff: () => call.cutOff() }
  }

  /** Takes the cost of a body from the budget. @returns false if it does not cover it. */
  #takes(bytes: number): boolean {
    const nowMillis = this.#nowMillis()
    const earned = ((nowMillis - this.#allowedMillis) * bytesPerSecond) / millisPerSecond
    this.#allowance = Math.min(burstBytes, this.#allowance + earned)
    this.#allowedMillis = nowMillis
    const cost = bytes + setupBytes
    if (cost > this.#allowance) return false
    this.#allowance -= cost
    return true
  }

  #encode(body: Body, coding: Coding, effort: Effort): Promise<Uint8Array> {
    const run = () => encode(body, coding, effort)
    const encoded = this.#latest.then(run, run)
    this.#latest = encoded
    return encoded
  }
}

/** `fast` for a body that is sent once, `small` for one that is sent repeatedly. */
type Effort = 'fast' | 'small'

const gzipLevels: Readonly<Record<Effort, number>> = { fast: 1, small: 6 }
const brotliQualities: Readonly<Record<Effort, number>> = { fast: 1, small: 5 }
const windowBits: Readonly<Record<Effort, number>> = { fast: 18, small: 22 }

function encode(body: Body, coding: Coding, effort: Effort): Promise<Uint8Array> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  // The output is one chunk, because each further chunk costs a turn of the event loop.
  const chunkSize = Math.max(plainBytesMax, bytes.length)
  if (coding === 'gzip') return runGzip(bytes, { level: gzipLevels[effort], chunkSize })
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQualities[effort],
    [constants.BROTLI_PARAM_LGWIN]: windowBits[effort],
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  return runBrotli(bytes, { params, chunkSize })
}
