import { assert } from '../../schemas/assert.js'
import { underlyingBytesMax } from '../../schemas/bounds.js'
import {
  CommandType,
  keyExpiryDateAt,
  keyRightAt,
  keyStrikeMicrosAt,
  keyUnderlyingAt,
  listExpiryMillisAt,
  listInstrumentBytes,
  listKeyAt,
  listTradingModeAt,
} from '../../schemas/commands.js'
import { Right, TradingMode } from '../../schemas/domain.js'
import type { HistoryEnd } from '../journal/journal-loss.js'
import type { Ring } from '../memory/ring.js'
import { claim } from './accept-loss.js'
import { writeText } from './bytes.js'
import type { Core } from './core.js'

/** Ids of one round: their commands fit the shell's ring with room to spare. */
const idsPerRound = 64
/** An option that nobody lists. */
const expiryDate = 99991231
const expiryMillis = Date.UTC(9999, 11, 31)
const strikeMicros = 1

/**
 * Uses up the ids of instruments that an accepted loss has taken: what was signed for the asset of a perp that is gone
 * must not reach another one. Each is listed and deleted at once, as an operator would; nothing happens where the journal
 * has them, so a start behind a crash goes on with it.
 */
export function passInstruments(
  core: Core,
  shell: Ring,
  { instrumentCount = 0, underlyings }: HistoryEnd,
  pause: () => void,
): void {
  const { instruments } = core.state
  const [underlying] = underlyings
  if (underlying === undefined) return
  while (instruments.count < instrumentCount) {
    const ids = Math.min(idsPerRound, instrumentCount - instruments.count)
    for (let i = 0; i < ids; i++) {
      put(shell, CommandType.ListInstrument, underlying)
      put(shell, CommandType.DeleteInstrument, underlying)
    }
    while (core.hasCommands()) if (core.doWork(0) === 0) pause()
  }
}

function put(shell: Ring, type: CommandType, underlying: string): void {
  const at = claim(shell, listInstrumentBytes, type)
  assert(at >= 0, 'shell ring: room for the ids of a round')
  const key = at + listKeyAt
  writeText(underlying, shell.u8, key + keyUnderlyingAt, underlyingBytesMax)
  shell.i32[(key + keyExpiryDateAt) >> 2] = expiryDate
  shell.i32[(key + keyRightAt) >> 2] = Right.Call
  shell.f64[(key + keyStrikeMicrosAt) >> 3] = strikeMicros
  shell.f64[(at + listExpiryMillisAt) >> 3] = expiryMillis
  shell.i32[(at + listTradingModeAt) >> 2] = TradingMode.Both
  shell.commit()
}
