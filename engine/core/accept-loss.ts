import { assert } from '../../schemas/assert.js'
import { underlyingBytesMax, underlyingsMax } from '../../schemas/bounds.js'
import {
  CommandType,
  commandGatewayAt,
  lossAuctionCountAt,
  lossBatchNumberAt,
  lossOrderCountAt,
  lossPayoutCountAt,
  lossSeqAt,
  lossTimeMillisAt,
  lossTradeCountAt,
  lossUnderlyingCountAt,
  lossUnderlyingsAt,
} from '../../schemas/commands.js'
import { HaltMode } from '../../schemas/domain.js'
import { Result } from '../../schemas/results.js'
import type { LossBorder } from '../journal/journal-loss.js'
import { recordPayloadAt, recordTypeAt } from '../memory/layout.js'
import type { Ring } from '../memory/ring.js'
import { readText, writeText } from './bytes.js'
import type { CoreState } from './core-state.js'
import { haltEach } from './decide-market.js'
import type { RecordViews } from './event-sink.js'
import { nobody } from './publish-orders.js'

const valuesAt = {
  batchNumber: lossBatchNumberAt,
  seq: lossSeqAt,
  timeMillis: lossTimeMillisAt,
  orderCount: lossOrderCountAt,
  tradeCount: lossTradeCountAt,
  payoutCount: lossPayoutCountAt,
  auctionCount: lossAuctionCountAt,
} as const satisfies Record<keyof LossBorder, number>

/** Puts the command into the shell's ring: the next batch begins with it. */
export function putAcceptLoss(
  shell: Ring,
  border: LossBorder,
  underlyings: readonly string[],
): void {
  const names = underlyings.slice(0, underlyingsMax)
  const bytes = lossUnderlyingsAt + names.length * underlyingBytesMax
  const at = shell.tryClaim(bytes, CommandType.AcceptLoss)
  assert(at >= 0, 'shell ring: empty before the first command')
  shell.u8.fill(0, at + recordPayloadAt, at + bytes)
  shell.i32[(at + commandGatewayAt) >> 2] = nobody
  for (const [name, place] of Object.entries(valuesAt)) {
    shell.f64[(at + place) >> 3] = border[name as keyof LossBorder]
  }
  shell.i32[(at + lossUnderlyingCountAt) >> 2] = names.length
  for (const [i, name] of names.entries()) {
    writeText(name, shell.u8, at + lossUnderlyingsAt + i * underlyingBytesMax, underlyingBytesMax)
  }
  shell.commit()
}

/** The border in the first of a batch's commands; null when that is another command. */
export function lossBorderAt(views: RecordViews, at: number): LossBorder | null {
  if (views.i32[(at + recordTypeAt) >> 2] !== CommandType.AcceptLoss) return null
  const values = Object.entries(valuesAt).map(([name, place]) => [
    name,
    views.f64[(at + place) >> 3],
  ])
  return Object.fromEntries(values) as LossBorder
}

/** Everything that gets a number from here on gets one that nobody has seen. */
export function passLost(state: CoreState, border: LossBorder): void {
  state.sink.seq = Math.max(state.sink.seq, border.seq)
  state.orderCount = Math.max(state.orderCount, border.orderCount)
  state.tradeCount = Math.max(state.tradeCount, border.tradeCount)
  state.settlements.passPayouts(border.payoutCount)
  state.liquidations.passAuctions(border.auctionCount)
}

/** Nobody trades before the operator has looked, not even in what is listed anew. */
export function haltAll(state: CoreState, views: RecordViews, at: number): Result {
  const count = views.i32[(at + lossUnderlyingCountAt) >> 2]
  for (let i = 0; i < count; i++) {
    const name = readText(
      views.u8,
      at + lossUnderlyingsAt + i * underlyingBytesMax,
      underlyingBytesMax,
    )
    state.underlyingFor(name)
  }
  haltEach(state, HaltMode.Halted)
  return Result.Accepted
}
