/** Returns a client frame with a zero mask, which leaves its payload unchanged. */
export function frameOf(payload: string | Buffer, opcode = 1, isFinal = true): Buffer {
  const body = Buffer.from(payload)
  const head = (isFinal ? 0x80 : 0) | opcode
  const mask = [0, 0, 0, 0]
  if (body.length < 126)
    return Buffer.concat([Buffer.from([head, 0x80 | body.length, ...mask]), body])
  const length = [body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from([head, 0x80 | 126, ...length, ...mask]), body])
}

/** Returns an upgrade request for a WebSocket. */
export function handshakeOf(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`
}
