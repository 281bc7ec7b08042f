import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { frameOf, handshakeOf } from './raw-frames.js'

/** Attack of an outside client; the argument of this process, as JSON. */
export interface Attack {
  readonly host: string
  readonly port: number
  /** Path of a WebSocket handshake that precedes the bytes; '' for plain HTTP. */
  readonly path: string
  /** Open connections at a time; a closed one is opened again. */
  readonly connections: number
  /** Written once after the handshake, one per connection in turn. */
  readonly greetings: readonly string[]
  /** True if the greeting and all units are one write; else the units follow every 10 ms. */
  readonly isBurst: boolean
  /** Bytes to repeat, in base64. */
  readonly unit: string
  /** Bytes per second over all connections, or bytes per burst and connection. */
  readonly bytes: number
  /** True if connections read what they receive. */
  readonly reads: boolean
  /** Pause between bursts of one connection. */
  readonly pauseMillis: number
}

/** Counts of an attack. */
export interface AttackSummary {
  readonly connected: number
  readonly closed: number
  readonly bytesSent: number
  readonly bytesRead: number
}

const stepMillis = 10
const reopenMillis = 5

class Attacker {
  connected = 0
  closed = 0
  bytesSent = 0
  bytesRead = 0
  readonly #attack: Attack
  readonly #unit: Buffer
  readonly #block: Buffer
  readonly #sockets = new Map<Socket, number>()
  #greeting = 0
  #isOver = false

  constructor(attack: Attack) {
    this.#attack = attack
    this.#unit = Buffer.from(attack.unit, 'base64')
    const { bytes, isBurst, connections } = attack
    const perWrite = isBurst ? bytes : (bytes / connections / 1000) * stepMillis
    const units = Math.max(1, Math.round(perWrite / Math.max(1, this.#unit.length)))
    this.#block = Buffer.alloc(units * this.#unit.length, this.#unit)
  }

  begin(): void {
    for (let i = 0; i < this.#attack.connections; i++) this.#open()
    if (!this.#attack.isBurst) void this.#stream()
  }

  end(): AttackSummary {
    this.#isOver = true
    for (const socket of this.#sockets.keys()) socket.destroy()
    const { connected, closed, bytesSent, bytesRead } = this
    return { connected, closed, bytesSent, bytesRead }
  }

  #open(): void {
    if (this.#isOver) return
    const { host, port, path, greetings, reads } = this.#attack
    const socket = connect({ host, port })
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('connect', () => {
      this.connected++
      if (path === '') this.#speak(socket)
      else socket.write(handshakeOf(path))
    })
    let isUp = path === ''
    socket.on('data', (data) => {
      this.bytesRead += data.length
      if (isUp) return
      isUp = true
      if (!data.toString('latin1').startsWith('HTTP/1.1 101')) return
      if (greetings.length > 0 && this.#greeting >= greetings.length) return
      this.#speak(socket)
      if (!reads) socket.pause()
    })
    socket.on('close', () => {
      this.closed++
      this.#sockets.delete(socket)
      setTimeout(() => this.#open(), reopenMillis)
    })
  }

  #speak(socket: Socket): void {
    const { greetings, isBurst, pauseMillis } = this.#attack
    const greeting = greetings[this.#greeting++]
    const first = greeting === undefined ? [] : [frameOf(greeting)]
    this.#sockets.set(socket, 0)
    if (!isBurst) {
      if (greeting !== undefined) socket.write(first[0]!)
      return
    }
    this.#write(socket, Buffer.concat([...first, this.#block]))
    if (pauseMillis <= 0) return
    const timer = setInterval(() => {
      if (socket.destroyed) clearInterval(timer)
      else if (socket.writableLength === 0) this.#write(socket, this.#block)
    }, pauseMillis)
  }

  #write(socket: Socket, bytes: Buffer): void {
    this.bytesSent += bytes.length
    socket.write(bytes)
  }

  async #stream(): Promise<void> {
    let next = performance.now()
    while (!this.#isOver) {
      next += stepMillis
      await sleep(Math.max(0, next - performance.now()))
      for (const socket of this.#sockets.keys()) {
        if (socket.writableLength < 1 << 20) this.#write(socket, this.#block)
      }
    }
  }
}

if (process.send !== undefined) {
  process.once('message', (attack: Attack) => {
    const attacker = new Attacker(attack)
    attacker.begin()
    process.once('message', () => process.send!(attacker.end(), () => process.exit(0)))
  })
  process.once('disconnect', () => process.exit(0))
}
