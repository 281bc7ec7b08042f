import assert from 'node:assert/strict'
import { createDecipheriv, createHmac, createPublicKey, type ECDH, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { newBrowser } from './browser.js'

/** Request as received. */
export interface PushRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  readonly millis: number
}

/** Answer: a status, or a full response; null leaves the client waiting. */
export type PushReply =
  | number
  | null
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }

/** Push service of the tests: keeps its requests, and answers as `reply` says. */
export class PushReceiver {
  readonly requests: PushRequest[] = []
  reply: (request: PushRequest) => PushReply = () => 201
  readonly #server: Server
  readonly #scheme: string

  /** @param tls key and certificate, PEM; null for plain HTTP */
  constructor(tls: { readonly key: string; readonly cert: string } | null = null) {
    const serve = (request: IncomingMessage, response: ServerResponse) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => this.#take(request, Buffer.concat(chunks), response))
    }
    this.#server = tls === null ? createServer(serve) : createTlsServer(tls, serve)
    this.#scheme = tls === null ? 'http' : 'https'
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  endpoint(path: string): string {
    return `${this.#scheme}://127.0.0.1:${this.port}${path}`
  }

  /** Returns the requests of one path. */
  of(path: string): readonly PushRequest[] {
    return this.requests.filter((request) => request.path === path)
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #take(incoming: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const { url = '', headers } = incoming
    const request = { path: url, headers, body, millis: Date.now() }
    this.requests.push(request)
    const reply = this.reply(request)
    if (reply === null) return
    const whole = typeof reply === 'number' ? { status: reply } : reply
    response.writeHead(whole.status, whole.headers)
    response.end(whole.body ?? '')
  }
}

const mac = (key: Uint8Array, ...parts: (string | Uint8Array)[]) => {
  const hash = createHmac('sha256', key)
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** Decrypts a message as a browser does: RFC 8188 and 8291, by hand. */
export function decrypted(
  body: Buffer,
  {
    pair,
    point,
    secret,
  }: Pick<ReturnType<typeof newBrowser>, 'point' | 'secret'> & {
    readonly pair: ECDH
  },
): string {
  const salt = body.subarray(0, 16)
  const keyBytes = body[20]!
  const sender = body.subarray(21, 21 + keyBytes)
  const cipherText = body.subarray(21 + keyBytes)
  const shared = mac(secret, pair.computeSecret(sender))
  const input = mac(shared, 'WebPush: info\0', point, sender, '\x01')
  const root = mac(salt, input)
  const key = mac(root, 'Content-Encoding: aes128gcm\0\x01').subarray(0, 16)
  const nonce = mac(root, 'Content-Encoding: nonce\0\x01').subarray(0, 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(cipherText.subarray(-16))
  const padded = Buffer.concat([decipher.update(cipherText.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  return padded.subarray(0, end).toString('utf8')
}

/** Returns the claims of a request's VAPID token, and checks its signature with the key it names. */
export function vapidClaims({ headers }: PushRequest) {
  const [, token, key] = /^vapid t=([^,]+), k=(\S+)$/.exec(headers.authorization ?? '') ?? []
  const [head, claims, signature] = token!.split('.') as [string, string, string]
  const point = Buffer.from(key!, 'base64url')
  const jwk = {
    ...{ kty: 'EC', crv: 'P-256' },
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  const signed = Buffer.from(`${head}.${claims}`)
  const isSigned = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  assert.ok(isSigned, 'the key that the token names does not verify its signature')
  return { key: key!, ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as VapidClaims) }
}

interface VapidClaims {
  readonly aud: string
  readonly sub: string
  readonly exp: number
}
