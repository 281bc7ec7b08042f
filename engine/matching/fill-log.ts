import { Side } from '../../schemas/domain.js'
import { grown } from '../memory/grown.js'

// One record per trade:
//
//   word   0     1              2              3
//          root  maker account  taker account  side of the taker
//
// The size is in `lots`.

const recordShift = 2
const rootAt = 0
const makerAt = 1
const takerAt = 2
const sideAt = 3
const buy = Side.Buy

/**
 * Trades of one round in all books of a matcher. An order carries its account's position at the start of the round, so
 * the current position is that plus the trades here. The log is cleared when the next round starts.
 */
export class FillLog {
  round = 0
  count = 0
  words = new Int32Array(256 << recordShift)
  lots = new Float64Array(256)
}

/** Clears the log if it belongs to another round. */
export function beginRound(log: FillLog, round: number): void {
  if (log.round === round) return
  log.round = round
  log.count = 0
}

/** Appends a trade. `root` identifies the book. */
export function logFill(
  log: FillLog,
  root: number,
  maker: number,
  taker: number,
  takerSide: Side,
  sizeLots: number,
): void {
  const record = log.count++
  if (record === log.lots.length) growLog(log)
  const at = record << recordShift
  log.words[at | rootAt] = root
  log.words[at | makerAt] = maker
  log.words[at | takerAt] = taker
  log.words[at | sideAt] = takerSide
  log.lots[record] = sizeLots
}

/** Returns the lots that the account bought in a book in this round, less the lots that it sold. */
export function boughtLots(log: FillLog, root: number, account: number): number {
  const { count, words, lots } = log
  let netLots = 0
  for (let record = 0; record < count; record++) {
    const at = record << recordShift
    if (words[at | rootAt] !== root) continue
    const isTaker = words[at | takerAt] === account
    if (!isTaker && words[at | makerAt] !== account) continue
    const buys = (words[at | sideAt] === buy) === isTaker
    netLots += buys ? lots[record] : -lots[record]
  }
  return netLots
}

function growLog(log: FillLog): void {
  log.words = grown(log.words, new Int32Array(log.words.length * 2))
  log.lots = grown(log.lots, new Float64Array(log.lots.length * 2))
}
