import { EventLogReader } from '../../engine/memory/event-log.js'
import { type ExchangeMemory, logReaders, wakeupOf } from '../../engine/memory/exchange-memory.js'
import { VirtualTime } from '../../engine/memory/virtual-time.js'
import { Wakeup } from '../../engine/memory/wakeup.js'
import { CommandType } from '../../schemas/generated/commands.js'
import { AnyEvent, EventType, type OutcomeEvent } from '../../schemas/generated/events.js'
import { OutcomeFlag } from '../../schemas/record-values.js'
import { Result, resultRows } from '../../schemas/results.js'
import { formatAddress } from '../../schemas/wallet.js'
import { CommandPort } from '../link/command-port.js'
import type { OperatorCommand } from './operator-commands.js'

/** Result of one operator command. It is durable when received. */
export interface OperatorOutcome {
  readonly result: Result
  readonly seq: number
  /** Engine time. */
  readonly timeMillis: number
  /** False if nothing changed: already listed, a known deposit id, an older price. */
  readonly changed: boolean
  /** Instrument that the command concerned, or -1. */
  readonly instrument: number
  /** `InstrumentState` that a listing found or set. */
  readonly state: number
  /** Id of the competition; 0 for other commands. */
  readonly competitionId: number
  /** Wallet that the answer concerns. A rejection may concern a different wallet than the request. */
  readonly wallet: string
  /** Values of a rejection, by the names of its row. */
  readonly details: Readonly<Record<string, number>>
}

/** Sends operator commands. The operator interface and the simulated feed share one. */
export interface OperatorSender {
  /**
   * @returns The acknowledgement. With result `EngineBusy` or `NotReady` nothing was done.
   */
  send(command: OperatorCommand): Promise<OperatorOutcome>
}

/** Sends commands of one moment together. The core sees all at once, and with virtual time puts them into one batch. */
export interface GroupSender {
  sendTogether(commands: readonly OperatorCommand[]): Promise<readonly OperatorOutcome[]>
}

/** Receives the events of a start, which describe the recovered state. */
export type BootstrapListener = (event: AnyEvent) => void

const sleepMillisMax = 100
const eventsPerTurnMax = 4096

/**
 * The operator's path to the core, on the main thread. Reads the event log only while an answer is outstanding and
 * skips the rest, so that a busy market costs the main thread nothing.
 */
export class OperatorPort implements OperatorSender, GroupSender {
  readonly #port: CommandPort
  readonly #log: EventLogReader
  readonly #event = new AnyEvent()
  readonly #wakeup: Wakeup
  readonly #virtualTime: VirtualTime | null
  #pending = new Set<(outcome: OperatorOutcome) => void>()
  #isPumping = false
  #isClosed = false

  constructor(memory: ExchangeMemory) {
    this.#port = new CommandPort(memory, memory.gateways)
    this.#log = new EventLogReader(memory.eventLog, logReaders.operator)
    this.#wakeup = new Wakeup(memory.wakeups, wakeupOf.operator)
    const { virtualTime } = memory
    this.#virtualTime = virtualTime === null ? null : new VirtualTime(virtualTime)
  }

  /**
   * Reads the events of the start once, before the first command. Call when the exchange is ready.
   * @returns False if the log has already overwritten them.
   */
  readBootstrap(listener: BootstrapListener): boolean {
    for (let at = this.#log.next(); at >= 0; at = this.#log.next()) {
      if (this.#log.lapped()) {
        this.#log.skipToDurable()
        return false
      }
      listener(this.#event.over(this.#log, at))
    }
    this.#log.release()
    return true
  }

  async send(command: OperatorCommand): Promise<OperatorOutcome> {
    const [outcome] = await this.sendTogether([command])
    return outcome!
  }

  sendTogether(commands: readonly OperatorCommand[]): Promise<readonly OperatorOutcome[]> {
    if (this.#isClosed) return Promise.all(commands.map(() => refusalOf(Result.NotReady)))
    // Events published before the commands cannot contain their acknowledgements.
    if (this.#port.waiting === 0) this.#log.skipToDurable()
    const waitingBefore = this.#pending.size
    const outcomes = commands.map((command) => this.#claim(command))
    const claimed = this.#pending.size - waitingBefore
    if (claimed > 0) {
      this.#virtualTime?.join(claimed)
      this.#port.submit()
      this.#pump()
    }
    return Promise.all(outcomes)
  }

  #claim(command: OperatorCommand): Promise<OperatorOutcome> {
    return new Promise((resolve) => {
      const onOutcome = (event: OutcomeEvent) => {
        this.#pending.delete(resolve)
        resolve(outcomeOf(event))
      }
      if (this.#port.claim({ onOutcome }, command)) this.#pending.add(resolve)
      else resolve(refusalOf(Result.EngineBusy))
    })
  }

  /** Answers pending commands with `NotReady`. Call when the engine has drained. */
  close(): void {
    this.#isClosed = true
    this.#giveUp(Result.NotReady)
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return
    this.#isPumping = true
    while (this.#pending.size > 0 && !this.#isClosed) {
      if (this.#turn() > 0) await nextTurn()
      else {
        this.#wakeup.arm()
        if (this.#log.hasNext()) this.#wakeup.disarm()
        else await this.#wakeup.waitAsync(sleepMillisMax)
      }
    }
    this.#isPumping = false
  }

  #turn(): number {
    let count = 0
    while (count < eventsPerTurnMax) {
      const at = this.#log.next()
      if (at < 0) break
      count++
      const event = this.#event.over(this.#log, at)
      if (event.recordType !== EventType.Outcome) continue
      if (this.#log.lapped()) {
        this.#log.skipToDurable()
        this.#giveUp(Result.InternalError)
        return count
      }
      this.#port.dispatch(event)
    }
    if (this.#log.lapped()) {
      this.#log.skipToDurable()
      this.#giveUp(Result.InternalError)
    } else this.#log.release()
    return count
  }

  /** Gives up the answers, not the commands: sent commands are or will be executed. */
  #giveUp(result: Result): void {
    this.#port.forget()
    const waiting = this.#pending
    this.#pending = new Set()
    for (const resolve of waiting) resolve(refusalOf(result))
  }
}

function outcomeOf(event: OutcomeEvent): OperatorOutcome {
  const { command, result, seq, timeMillis, flags, facts } = event
  const rows = resultRows[result].details ?? []
  return {
    result,
    seq,
    timeMillis,
    changed: (flags & OutcomeFlag.Repeat) === 0,
    instrument: facts.instrument,
    state: facts.listedState,
    competitionId: command === CommandType.SetCompetition ? facts.competitionId : 0,
    wallet: formatAddress(facts.u8, facts.walletAt),
    details: Object.fromEntries(rows.map(({ name }, index) => [name, event.details(index)])),
  }
}

function refusalOf(result: Result): OperatorOutcome {
  const nothing = { seq: 0, timeMillis: 0, changed: false, instrument: -1, state: 0, wallet: '' }
  return { result, ...nothing, competitionId: 0, details: {} }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
