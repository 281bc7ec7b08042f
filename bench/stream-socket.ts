import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

// WebSocket client for benchmarks. It writes pre-built frames unchanged, splits received data at frame headers, and passes
// payloads on as bytes. It uses a fraction of the processor time of a full client, and the same amount with every server.

const finalText = 0x81
const opcodeMask = 0x0f
const textOpcode = 0x1
const closeOpcode = 0x8
const pingOpcode = 0x9
const finalPong = 0x8a
const lengthMask = 0x7f
const masked = 0x80
const lengthOf16Bits = 126
const lengthOf64Bits = 127
const shortLengthMax = 125
const lengthMaxOf16Bits = 0xffff
const maskBytes = 4
const headersEnd = '\r\n\r\n'

/** Returns a client's text frame. Its mask is zero, so the payload is unchanged. */
export function textFrame(text: string): Buffer {
  return frameOf(finalText, Buffer.from(text))
}

function frameOf(type: number, payload: Buffer): Buffer {
  return Buffer.concat([headerOf(type, payload.length), Buffer.alloc(maskBytes), payload])
}

function headerOf(type: number, length: number): Buffer {
  if (length <= shortLengthMax) return Buffer.of(type, masked | length)
  if (length <= lengthMaxOf16Bits) {
    return Buffer.of(type, masked | lengthOf16Bits, length >> 8, length & 0xff)
  }
  const header = Buffer.alloc(10)
  header[0] = type
  header[1] = masked | lengthOf64Bits
  header.writeUInt32BE(length, 6)
  return header
}

/** WebSocket connection. `onText` receives the bytes of each text message, valid during the call. */
export class StreamSocket {
  onText: (payload: Buffer) => void = () => {}
  /** Called when all data of one read has been passed on. */
  onPause: () => void = () => {}
  onFailure: (failure: Error) => void = () => {}
  readonly #socket: Socket
  #rest: Buffer = Buffer.alloc(0)
  #isClosing = false

  private constructor(socket: Socket) {
    this.#socket = socket
  }

  /** @param url of the stream, `ws://host:port/path`. @throws Error if the upgrade fails. */
  static open(url: string): Promise<StreamSocket> {
    const { hostname, port, pathname } = new URL(url)
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      let head = ''
      socket.once('error', reject)
      socket.once('close', () => reject(new Error('closed before it was a WebSocket')))
      socket.on('data', function onHead(chunk) {
        head += chunk.toString('latin1')
        const end = head.indexOf(headersEnd)
        if (end < 0) return
        socket.off('data', onHead)
        if (!head.startsWith('HTTP/1.1 101')) {
          socket.destroy()
          reject(new Error(`no WebSocket: ${head}`))
          return
        }
        const stream = new StreamSocket(socket)
        stream.#rest = Buffer.from(head.slice(end + headersEnd.length), 'latin1')
        stream.#listen()
        resolve(stream)
      })
      socket.write(
        `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\n` +
          'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
          `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}${headersEnd}`,
      )
    })
  }

  /** @param frame made by `textFrame`. */
  send(frame: Buffer): void {
    this.#socket.write(frame)
  }

  /** Sends several frames with one write. */
  sendAll(frames: readonly Buffer[]): void {
    this.#socket.write(Buffer.concat(frames))
  }

  /** Number of bytes that the kernel has not accepted yet. */
  get waitingBytes(): number {
    return this.#socket.writableLength
  }

  close(): void {
    this.#isClosing = true
    this.#socket.destroy()
  }

  #listen(): void {
    const socket = this.#socket
    socket.removeAllListeners('error')
    socket.on('data', (chunk) => this.#take(chunk))
    socket.on('error', (failure) => this.onFailure(failure))
    socket.on('close', () => {
      if (!this.#isClosing) this.onFailure(new Error('the server closed the connection'))
    })
  }

  #take(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let at = 0
    for (;;) {
      const payloadAt = payloadOffset(bytes, at)
      if (payloadAt < 0) break
      const end = payloadAt + payloadLength(bytes, at)
      if (end > bytes.length) break
      const opcode = bytes[at] & opcodeMask
      if (opcode === textOpcode) this.onText(bytes.subarray(payloadAt, end))
      else if (opcode === pingOpcode) {
        this.#socket.write(frameOf(finalPong, bytes.subarray(payloadAt, end)))
      } else if (opcode === closeOpcode) this.onFailure(new Error('closed with a close frame'))
      at = end
    }
    this.#rest = at === bytes.length ? bytes.subarray(at) : Buffer.from(bytes.subarray(at))
    this.onPause()
  }
}

/** Returns the payload offset of the frame at `at`; -1 while its header is incomplete. */
function payloadOffset(bytes: Buffer, at: number): number {
  if (at + 2 > bytes.length) return -1
  const length = bytes[at + 1] & lengthMask
  const headerBytes = length === lengthOf64Bits ? 10 : length === lengthOf16Bits ? 4 : 2
  return at + headerBytes > bytes.length ? -1 : at + headerBytes
}

function payloadLength(bytes: Buffer, at: number): number {
  const length = bytes[at + 1] & lengthMask
  if (length === lengthOf64Bits) return bytes.readUInt32BE(at + 6)
  return length === lengthOf16Bits ? bytes.readUInt16BE(at + 2) : length
}
