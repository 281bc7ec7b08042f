import { CommandType, DepositCommand } from '../../../schemas/generated/commands.js'
import { Result } from '../../../schemas/results.js'
import { Random } from '../run/random.js'
import type { Run } from '../run/run.js'
import { mustHold } from '../run/simulation-errors.js'
import type { VirtualClock } from '../run/virtual-clock.js'
import type { Outcome } from '../told/log-events.js'
import type { ToldAuctions } from '../told/told-auctions.js'
import type { ToldRfqs } from '../told/told-rfqs.js'
import { accountCommands } from './account-commands.js'
import { Acknowledgements } from './acknowledgements.js'
import type { Action } from './action.js'
import { bidLiquidation } from './liquidation-commands.js'
import { openingActions, operatorCommands } from './operator-commands.js'
import { orderCommands } from './order-commands.js'
import { openingProviders, providerCommands } from './provider-commands.js'
import { rfqAnswers, rfqCommands } from './rfq-commands.js'
import { type CommandGenerator, TradingDesk } from './trading-desk.js'
import type { VirtualGateway } from './virtual-gateway.js'

/** Actions without an answer, at most: the market stays small. */
const openMax = 400
const answeredKept = 200
const newPerTurnMax = 8
const retriesPerTurn = 12
/** Of a hundred actions, how many are the operator's. */
const operatorPercent = 18
/** Of so many turns one has something of a provider. */
const providersIn = 2
/** Of a turn, to requests for quote that are open. */
const rfqAnswersMax = 6
/** What clients send through the gateways. */
const clientCommands: readonly CommandGenerator[] = [
  ...orderCommands,
  ...accountCommands,
  { weight: 10, make: bidLiquidation },
]
const deposit = new DepositCommand()

/** What clients see of the process that serves them. */
interface Served {
  readonly gateways: readonly VirtualGateway[]
  readonly operator: VirtualGateway
  readonly market: { readonly auctions: ToldAuctions; readonly rfqs: ToldRfqs }
  readonly plan: { readonly hasSmallRings: boolean }
}

/**
 * Everybody who asks: clients of the gateways, and the operator. They want an answer to every
 * action, and ask again, with the same nonce, when a full ring or a crash came between.
 */
export class Clients {
  readonly acknowledgements = new Acknowledgements()
  /** Actions without a definite answer, oldest first. */
  open: Action[]
  readonly #opening: readonly Action[]
  readonly #desk: TradingDesk
  /** By a choice of its own: what the others ask for does not hang on it. */
  readonly #providers: TradingDesk
  readonly #run: Run
  readonly #random: Random
  /** Answered, for a repeat much later. */
  readonly #answered: Action[] = []
  /** Micros by deposit id. */
  readonly #deposits = new Map<string, number>()
  #nextRequest = 1

  constructor(run: Run, clock: VirtualClock) {
    this.#run = run
    this.#random = new Random(run.seed, 'clients')
    this.#desk = new TradingDesk(this.#random, clock, 1000)
    const random = new Random(run.seed, 'providers')
    this.#providers = new TradingDesk(random, clock, 1_000_000)
    this.#opening = openingActions(this.#desk)
    const hasProviders = run.plan.has('requests')
    this.open = [...this.#opening, ...(hasProviders ? openingProviders(this.#providers) : [])]
  }

  /** What the acknowledged deposits add up to; the same one twice is one. */
  get depositsMicros(): bigint {
    let sum = 0n
    for (const micros of this.#deposits.values()) sum += BigInt(micros)
    return sum
  }

  /** Sends new actions, and some of the old ones again. */
  act(process: Served): void {
    this.#desk.auctions = () => process.market.auctions.running
    this.retry(process, retriesPerTurn)
    if (this.open.length >= openMax) return
    // Before there is a market few have anything to ask of it.
    const isOpening = this.#opening.some(({ answer }) => answer === null)
    if (isOpening && this.#random.below(4) > 0) return
    const isFlood = process.plan.hasSmallRings && this.#random.below(8) === 0
    const count = this.#random.between(1, isFlood ? 8 * newPerTurnMax : newPerTurnMax)
    for (let i = 0; i < count; i++) this.#sendNew(process)
    if (this.#run.plan.has('requests')) this.#sendOfProviders(process)
    if (this.#run.plan.strikes('late', 0.1)) this.#sendLate(process)
  }

  /** Sends unanswered actions that are not under way, oldest first. */
  retry(process: Served, most: number): void {
    let count = 0
    for (const action of this.open) {
      if (count === most) break
      if (action.isUnderWay) continue
      if (action.isSent) this.#run.statistics.add('asked again')
      if (!this.#send(process, action)) break
      count++
    }
  }

  /** An answer has come in. */
  take(action: Action, outcome: Outcome): void {
    const { statistics } = this.#run
    this.acknowledgements.take(action, outcome)
    statistics.add('answers')
    if (outcome.isRepeat) statistics.add('repeats answered')
    if (outcome.result === Result.OutsidePriceBand) statistics.add('prices outside a band')
    if (outcome.result === Result.ObservationAhead) statistics.add('index from ahead')
    if (action.answer !== null) return
    action.answer = outcome
    this.#desk.noteAnswer(action, outcome)
    if (action.command.recordType !== CommandType.Deposit) return
    const { depositIdText, amountMicros } = deposit.of(action.command)
    if (outcome.result === Result.Accepted) this.#deposits.set(depositIdText, amountMicros)
  }

  /** Forgets what is answered but for a late repeat. */
  dropAnswered(): void {
    const open: Action[] = []
    for (const action of this.open) {
      if (!action.isAnswered) {
        open.push(action)
        continue
      }
      this.#answered.push(action)
      if (this.#answered.length > answeredKept) this.#answered.shift()
    }
    this.open = open
  }

  #sendNew(process: Served): void {
    const isOperator = this.#random.below(100) < operatorPercent
    const generators = isOperator ? operatorCommands : clientCommands
    const action = this.#random.pickWeighted(generators).make(this.#desk)
    if (action === null) return
    this.open.push(action)
    for (const part of action.parts) this.#desk.noteSent(part)
    if (!this.#send(process, action)) return
    if (!isOperator && this.#run.plan.strikes('repeat', 0.1)) {
      if (this.#send(process, action)) this.#run.plan.count('repeat')
    }
  }

  #sendOfProviders(process: Served): void {
    const { random } = this.#providers
    this.#providers.rfqs = () => process.market.rfqs
    if (random.below(providersIn) === 0) this.#sendOf(process, providerCommands)
    this.#sendOf(process, rfqCommands)
    if (process.market.rfqs.open.length === 0) return
    for (let count = random.below(rfqAnswersMax + 1); count > 0; count--) {
      this.#sendOf(process, rfqAnswers)
    }
  }

  #sendOf(process: Served, generators: readonly CommandGenerator[]): void {
    const desk = this.#providers
    const action = desk.random.pickWeighted(generators).make(desk)
    if (action === null) return
    this.open.push(action)
    if (this.#send(process, action, desk.random)) this.#run.plan.count('requests')
  }

  #sendLate(process: Served): void {
    const signed = this.#answered.filter(({ isSigned }) => isSigned)
    if (signed.length === 0) return
    const action = this.#run.plan.random('late').pick(signed)
    if (this.#send(process, action)) this.#run.plan.count('late')
  }

  #send(process: Served, action: Action, random = this.#random): boolean {
    const { gateways, operator } = process
    // What carries no signature is said by the gateway that has the session.
    const { recordType } = action.command
    const isOfSession =
      recordType === CommandType.LeaveProvider || recordType === CommandType.DeclineRfq
    const isOfGateway = action.isSigned || isOfSession
    const gateway = isOfGateway ? random.pick(gateways) : operator
    const isSent = gateway.send(action, this.#nextRequest)
    if (isSent) this.#nextRequest += action.parts.length
    else this.#run.statistics.add('full command ring')
    return isSent
  }

  /** @throws Violation when somebody is still without an answer. */
  mustBeAnswered(): void {
    const [first] = this.open
    mustHold(first === undefined, () => {
      return `${this.open.length} actions are not answered, the first of type ${first.command.recordType}`
    })
  }
}
