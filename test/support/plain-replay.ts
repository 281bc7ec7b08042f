import { createHash } from 'node:crypto'
import {
  immediateBit,
  kindMask,
  MessageKind,
  type ReplayFile,
  sellBit,
} from '../../bench/book-replay/replay-file.js'

interface PlainOrder {
  readonly id: number
  readonly side: number
  readonly tick: number
  quantity: number
}

/** Message in readable form, for files made by hand. */
export interface PlainMessage {
  readonly kind: keyof typeof MessageKind
  readonly id: number
  readonly side?: 'Buy' | 'Sell'
  readonly immediate?: boolean
  readonly tick?: number
  readonly quantity?: number
}

export function fileFrom(messages: readonly PlainMessage[]): ReplayFile {
  return {
    count: messages.length,
    kinds: Uint8Array.from(messages, ({ kind, side, immediate }) => {
      const bits = (side === 'Sell' ? sellBit : 0) | (immediate ? immediateBit : 0)
      return MessageKind[kind] | bits
    }),
    quantities: Uint8Array.from(messages, ({ quantity }) => quantity ?? 1),
    orderIds: Uint32Array.from(messages, ({ id }) => id),
    ticks: Int32Array.from(messages, ({ tick }) => tick ?? 0),
  }
}

/**
 * Applies the yardstick's rules to one array of orders, oldest first, with lines as text: obviously right, and slow.
 */
export function plainReplay(file: ReplayFile): { lines: string[]; trades: number; sha256: string } {
  let resting: PlainOrder[] = []
  const reports: { sequence: number; line: string }[] = []
  const tell = (type: number, sequence: number, ...fields: number[]) =>
    reports.push({ sequence, line: [type, sequence, ...fields].join(',') })

  const enter = (sequence: number, order: PlainOrder, rests: boolean) => {
    const better = order.side === 0 ? 1 : -1
    const others = resting
      .filter(({ side, tick }) => side !== order.side && (tick - order.tick) * better <= 0)
      .sort((left, right) => (left.tick - right.tick) * better)
    for (const maker of others) {
      const traded = Math.min(maker.quantity, order.quantity)
      if (traded === 0) break
      tell(1, sequence, maker.tick, traded, maker.id, order.id)
      maker.quantity -= traded
      order.quantity -= traded
    }
    resting = resting.filter(({ quantity }) => quantity > 0)
    if (order.quantity > 0 && rests) resting.push(order)
    else if (order.quantity > 0) tell(2, sequence, order.side, order.id, order.tick)
  }

  for (let sequence = 0; sequence < file.count; sequence++) {
    const bits = file.kinds[sequence]
    const id = file.orderIds[sequence]
    const tick = file.ticks[sequence]
    const quantity = file.quantities[sequence]
    const kind = bits & kindMask
    if (kind === MessageKind.New) {
      const side = (bits & sellBit) === 0 ? 0 : 1
      tell(0, sequence, side, id, tick, quantity)
      enter(sequence, { id, side, tick, quantity }, (bits & immediateBit) === 0)
      continue
    }
    const order = resting.find((candidate) => candidate.id === id)
    resting = resting.filter((candidate) => candidate !== order)
    if (order === undefined) {
      tell(kind === MessageKind.Cancel ? 4 : 5, sequence, id)
    } else if (kind === MessageKind.Cancel) {
      tell(2, sequence, order.side, id, order.tick)
    } else {
      enter(sequence, { id, side: order.side, tick, quantity }, true)
      tell(3, sequence, order.side, id, tick, quantity)
    }
  }
  const typeOf = (line: string) => Number(line[0])
  reports.sort((a, b) => a.sequence - b.sequence || typeOf(a.line) - typeOf(b.line))
  const lines = reports.map(({ line }) => line)
  const trades = lines.filter((line) => typeOf(line) === 1).length
  return { lines, trades, sha256: createHash('sha256').update(lines.join('\n')).digest('hex') }
}
