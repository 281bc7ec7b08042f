import { Side } from '../../schemas/domain.js'
import { grown } from '../memory/grown.js'

// One record per trade:
//
//   word   0     1              2              3
//          root  maker account  taker account  side of the taker
//
// and its size in `lots`.

const recordShift = 2
const rootAt = 0
const makerAt = 1
const takerAt = 2
const sideAt = 3
const buy = Side.Buy

/**
 * The trades of all books of a matcher since the core last looked at positions: a position that
 * comes with an order is that of the beginning of the order's round, and the trades of the round
 * are what it lacks. Forgotten when the next round begins.
 */
export class FillLog {
  round = 0
  count = 0
  words = new Int32Array(256 << recordShift)
  lots = new Float64Array(256)
}

/** Forgets the trades of another round than this one. */
export function beginRound(log: FillLog, round: number): void {
  if (log.round === round) return
  log.round = round
  log.count = 0
}

/** Keeps one trade. `root` names the book. */
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

/** Lots that the account bought in a book in this round, less those that it sold. */
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
