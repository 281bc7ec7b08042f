import { assert } from '../../schemas/assert.js'
import { Right, TradingMode } from '../../schemas/domain.js'
import { CommandType, ListInstrumentCommand } from '../../schemas/generated/commands.js'
import { JournalRefusal } from '../journal/journal-errors.js'
import type { HistoryEnd } from '../journal/journal-loss.js'
import type { Ring } from '../memory/ring.js'
import type { Core } from './core.js'
import { beginShellCommand } from './operator/accept-loss.js'

/** Ids per round: their commands fit the shell's ring with room to spare. */
const idsPerRound = 64
/** An option that nobody lists, used as a placeholder. */
const expiryDate = 99991231
const expiryMillis = Date.UTC(9999, 11, 31)
const strikeMicros = 1

/**
 * Uses up the instrument ids that an accepted loss has taken. Otherwise an action signed for a lost perp could apply to
 * a new instrument with its asset number. Each id is listed and deleted at once, as an operator would do. Ids that the
 * journal has are skipped, so a start after a crash continues where it stopped. Any underlying will do: one of the
 * core, or else one that the history store remembers.
 * @throws JournalRefusal if neither knows an underlying, because the ids would be assigned a second time.
 */
export function passInstruments(
  core: Core,
  shell: Ring,
  { instrumentCount = 0, underlyings }: HistoryEnd,
  pause: () => void,
): void {
  const { instruments } = core.state
  if (instruments.count >= instrumentCount) return
  const underlying = instruments.underlyingNames[0] ?? underlyings[0]
  if (underlying === undefined)
    throw new JournalRefusal(sentenceOf(instruments.count, instrumentCount))
  while (instruments.count < instrumentCount) {
    const ids = Math.min(idsPerRound, instrumentCount - instruments.count)
    for (let i = 0; i < ids; i++) {
      put(shell, CommandType.ListInstrument, underlying)
      put(shell, CommandType.DeleteInstrument, underlying)
    }
    while (core.hasCommands()) if (core.doWork(0) === 0) pause()
  }
  assert(instruments.count === instrumentCount, 'instruments: every lost id is skipped')
}

function sentenceOf(count: number, instrumentCount: number): string {
  return (
    `the history store knows that instruments ${count} to ${instrumentCount - 1} were lost, but neither it nor the ` +
    'journal names an underlying to use up their ids with, and what is listed next would have the asset number of ' +
    'another. Put the copy history.db.before-loss-<sequence>, which has the names, in the place of history.db and ' +
    'its -wal and -shm'
  )
}

function put(
  shell: Ring,
  type: typeof CommandType.ListInstrument | typeof CommandType.DeleteInstrument,
  underlying: string,
): void {
  const command = new ListInstrumentCommand()
  assert(command.claim(shell, type), 'shell ring: room for the ids of a round')
  beginShellCommand(command)
  const { key } = command
  key.underlyingText = underlying
  key.expiryDate = expiryDate
  key.right = Right.Call
  key.strikeMicros = strikeMicros
  command.expiryMillis = expiryMillis
  command.tradingMode = TradingMode.Both
  shell.commit()
}
