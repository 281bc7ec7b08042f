import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type Hex, keccak256, toBytes } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { WebSocket } from 'ws'

// biome-ignore lint/suspicious/noExplicitAny: documents and messages as a stranger reads them
type Json = any

const answerMillisMax = 20_000
const micros = 1_000_000
const microDecimals = 6

/**
 * Implementation of each sentence in the documents about a signed value. A sentence that is missing here is
 * unexplained.
 */
const sentences: Readonly<Record<string, (body: Json, own: Json) => unknown>> = {
  '`rfq_id` as 32 bytes: 16 of zero, then the 16 of the UUID': ({ rfq_id }) => wordOf(rfq_id),
  '`quote_id` as 32 bytes: 16 of zero, then the 16 of the UUID': ({ quote_id }) => wordOf(quote_id),
  '`wallet_address`': ({ wallet_address }) => wallet_address,
  'The wallet of the session': (_, { wallet }) => wallet,
  'The net premium of the quote times a million, as a whole number, truncated': (
    { net_premium },
    { netPremium },
  ) => microsOf(net_premium ?? netPremium),
  '`auto_accept_limit`, on the stream `limit_price`, times a million, as a whole number': ({
    limit_price,
  }) => microsOf(limit_price),
  ['keccak-256 of the UTF-8 text of the legs in the order of the request, joined by `;`. Each is `instrument|side|size`: ' +
    'the instrument as sent, the side in lower case, the size as sent without leading zeros, except for one before the ' +
    'point']: ({ legs }) =>
    keccak256(
      toBytes(
        legs
          .map(({ instrument, side, size }: Json) =>
            [instrument, side.toLowerCase(), size.replace(/^0+(?=\d)/, '')].join('|'),
          )
          .join(';'),
      ),
    ),
}

/** Returns a UUID as 32 bytes. */
function wordOf(uuid: string): Hex {
  return `0x${'0'.repeat(32)}${uuid.replaceAll('-', '')}`
}

function microsOf(text: string): bigint {
  const [whole = '0', decimals = ''] = text.replace('-', '').split('.')
  const size = BigInt(whole) * BigInt(micros)
  const all = size + BigInt(decimals.padEnd(microDecimals, '0').slice(0, microDecimals))
  return text.startsWith('-') ? -all : all
}

/** Client with the address of a venue, its documents, a key and third-party libraries, without code of this project. */
export class Stranger {
  readonly url: string
  readonly wallet: string
  readonly #account = privateKeyToAccount(generatePrivateKey())
  readonly #open: Json
  readonly #async: Json
  readonly #sockets: StrangerSocket[] = []
  #nonce = Date.now()

  private constructor(url: string, open: Json, async: Json) {
    this.url = url
    this.wallet = this.#account.address.toLowerCase()
    this.#open = open
    this.#async = async
  }

  static async of(url: string): Promise<Stranger> {
    const read = async (path: string) => (await fetch(url + path)).json()
    return new Stranger(url, await read('/openapi.json'), await read('/asyncapi.json'))
  }

  /**
   * Calls an operation of the document.
   * @throws AssertionError unless it succeeds
   */
  async call(method: 'get' | 'post', path: string, values: Json): Promise<Json> {
    const operation = this.#open.paths[path][method]
    const query = new URLSearchParams()
    for (const { name, required } of operation.parameters ?? []) {
      if (name in values) query.set(name, values[name])
      else assert.ok(!required, `${path}: ${name} is needed`)
    }
    const body = method === 'get' ? {} : { body: JSON.stringify(values) }
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${this.url}${path}?${query}`, { method, headers, ...body })
    const text = await answer.text()
    assert.equal(answer.status, 200, `${path}: ${text}`)
    return JSON.parse(text)
  }

  async connect(channel: 'clients' | 'providers'): Promise<StrangerSocket> {
    const { address } = this.#async.channels[channel]
    const socket = new StrangerSocket(this.url.replace('http', 'ws') + address)
    this.#sockets.push(socket)
    await socket.opened
    return socket
  }

  close(): void {
    for (const socket of this.#sockets) socket.close()
  }

  /**
   * Returns a frame with all fields that its message requires, signed where the document says how.
   * @param own signed values that are not in the frame
   */
  async frame(type: string, fields: Json, own: Json = {}): Promise<Json> {
    const { payload, 'x-signature': signing } = this.#async.components.messages[type]
    const frame: Json = { type, ...fields }
    for (const name of ['wallet', 'wallet_address'])
      if (payload.required.includes(name)) frame[name] = this.wallet
    const isSigned = signing !== undefined && 'signature' in payload.properties
    if (isSigned && fields.action !== 'decline') {
      frame.nonce = ++this.#nonce
      frame.signature = await this.#sign(signing, frame, own)
    }
    for (const name of payload.required) assert.ok(name in frame, `${type}: ${name} is needed`)
    for (const name of Object.keys(frame)) assert.ok(name in payload.properties, `${type}: ${name}`)
    return frame
  }

  #sign({ domain, types: [form] }: Json, frame: Json, own: Json): Promise<string> {
    const { primaryType, types, values = {} } = form
    const message = types[primaryType].map(({ name }: Json) => {
      const sentence = values[name]
      const plain = frame[name.replace(/[A-Z]/g, (letter: string) => `_${letter.toLowerCase()}`)]
      if (sentence === undefined) return [name, plain]
      const carriedOut = sentences[sentence]
      assert.ok(
        carriedOut !== undefined,
        `${primaryType}.${name}: the document does not describe it`,
      )
      return [name, carriedOut(frame, { wallet: this.wallet, ...own })]
    })
    return this.#account.signTypedData({
      ...{ domain, types, primaryType },
      message: Object.fromEntries(message),
    })
  }
}

/** Socket that keeps received messages until the test reads them. */
export class StrangerSocket {
  readonly opened: Promise<unknown>
  readonly #socket: WebSocket
  readonly #heard: Json[] = []
  #look: () => void = () => {}

  constructor(url: string) {
    this.#socket = new WebSocket(url)
    this.opened = once(this.#socket, 'open')
    this.#socket.on('message', (data) => {
      this.#heard.push(JSON.parse(String(data)))
      this.#look()
    })
  }

  send(frame: Json): void {
    this.#socket.send(JSON.stringify(frame))
  }

  /** Returns the next message that matches; earlier messages stay. */
  async next(what: string, isWanted: (message: Json) => boolean): Promise<Json> {
    const deadlineMillis = Date.now() + answerMillisMax
    for (;;) {
      const place = this.#heard.findIndex(isWanted)
      if (place >= 0) return this.#heard.splice(place, 1)[0]
      const restMillis = deadlineMillis - Date.now()
      assert.ok(restMillis > 0, `${what}: not among ${JSON.stringify(this.#heard)}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, restMillis)
        this.#look = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  ofType(type: string): Promise<Json> {
    return this.next(type, (message) => message.type === type)
  }

  close(): void {
    this.#socket.close()
  }
}
