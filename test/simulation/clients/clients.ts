import { CommandType, DepositCommand } from '../../../schemas/generated/commands.js'
import { Result } from '../../../schemas/results.js'
import { DeliveredMoney } from '../published/delivered-money.js'
import type { Outcome } from '../published/log-events.js'
import type { PublishedAuctions } from '../published/published-auctions.js'
import type { PublishedProviders } from '../published/published-providers.js'
import type { PublishedRfqs } from '../published/published-rfqs.js'
import { SentRows } from '../published/sent-rows.js'
import { SentScopes } from '../published/sent-scopes.js'
import { Random } from '../run/random.js'
import type { Run } from '../run/run.js'
import { mustHold } from '../run/simulation-errors.js'
import type { VirtualClock } from '../run/virtual-clock.js'
import { accountCommands } from './account-commands.js'
import { Acknowledgements } from './acknowledgements.js'
import type { Action } from './action.js'
import { auctionAnswers } from './auction-answers.js'
import { auctionEnds, missingProvider, openingAuctions, placeShown } from './auction-commands.js'
import { capsCommands, fillToCap, openingCaps } from './caps-commands.js'
import { competitionCommands } from './competition-commands.js'
import { directiveCommands } from './directive-commands.js'
import { bidLiquidation } from './liquidation-commands.js'
import { openingActions, operatorCommands } from './operator-commands.js'
import { orderCommands } from './order-commands.js'
import { openingProviders, providerCommands } from './provider-commands.js'
import { rfqAnswers, rfqCommands } from './rfq-commands.js'
import { safetyCommands } from './safety-commands.js'
import { maySeeRows, seesRows, withRows } from './shown-rows.js'
import { type CommandGenerator, Trader } from './trader.js'
import { usernameCommands } from './username-commands.js'
import type { VirtualGateway } from './virtual-gateway.js'
import { withdrawalCommands } from './withdrawal-commands.js'

/** Maximum number of actions without an answer, which keeps the market small. */
const openMax = 400
const answeredKept = 200
const newPerTurnMax = 8
const retriesPerTurn = 12
/** Operator's share of the actions, in percent. */
const operatorPercent = 18
/** One turn in this many has a provider's action. */
const providersIn = 2
/** Maximum number of answers per turn to open requests for quote. */
const rfqAnswersMax = 6
/** Share of the other clients' orders that providers show rows for, in a run of the usual rate. */
const shownShare = 0.3
/** Maximum numbers per turn of orders with provider rows, and of actions on waiting orders. */
const shownMax = 3
const auctionAnswersMax = 8
const eventsHeard = 10_000
/** One turn in this many has a service action. */
const servicesIn = 3
/** Share of runs in which wallets withdraw all they can. */
const leavingShare = 0.2
/** Maximum number of withdrawals per turn in such a run. */
const leavingMax = 8
/** Share of runs in which some wallets reach their caps; they are slow. */
const cappedShare = 0.25
/** Bulk requests at the start of such a run, and the maximum per later turn. */
const cappedFirst = 300
const cappedMax = 4
/** One turn in this many has a safety action. Each may end all orders of a wallet, so it must leave time for trades. */
const safetyIn = 16
/** With this many unanswered actions or more, no further orders with provider rows are sent. */
const openWhileShown = 120
const retriesWhileFinishing = 50
/** One in this many of these actions ends a wait other than by a quote. */
const auctionEndsIn = 8
/** Commands that clients send through the gateways. */
const clientCommands: readonly CommandGenerator[] = [
  ...orderCommands,
  ...accountCommands,
  { weight: 10, make: bidLiquidation },
]
/** Commands of wallets other than trading, with the operator's replies. */
const serviceCommands: readonly CommandGenerator[] = [
  ...usernameCommands,
  ...competitionCommands,
  ...directiveCommands,
  ...withdrawalCommands,
]
/** Unsigned commands that the gateway with the session sends. */
const sessionCommands: readonly number[] = [
  ...[CommandType.LeaveProvider, CommandType.DeclineRfq, CommandType.EndConnection],
]
const deposit = new DepositCommand()

/** The parts of the serving process that clients see. */
interface Served {
  readonly gateways: readonly VirtualGateway[]
  readonly operator: VirtualGateway
  readonly market: Readonly<{
    auctions: PublishedAuctions
    providers: PublishedProviders
    rfqs: PublishedRfqs
    doWork(limit: number): number
  }>
  readonly plan: { readonly hasSmallRings: boolean }
}

/**
 * All requesters: clients of the gateways, and the operator. They retry each action under the same nonce until they
 * have an answer, whether a full ring or a crash prevented it.
 */
export class Clients {
  readonly acknowledgements = new Acknowledgements()
  readonly sentRows = new SentRows()
  readonly sentScopes = new SentScopes()
  readonly delivered = new DeliveredMoney()
  /** Actions without a definite answer, oldest first. */
  open: Action[]
  readonly #opening: readonly Action[]
  readonly #trader: Trader
  /** Has its own random stream, so that other clients' actions do not depend on it. */
  readonly #providers: Trader
  /** The same for orders that wait for quotes. */
  readonly #auctions: Trader
  /** The same for actions other than trading. */
  readonly #services: Trader
  /** The same for safety actions, which end all orders of a wallet. */
  readonly #safety: Trader
  /** The same for withdrawals, in runs with many of them. */
  readonly #leaving: Trader
  readonly #isLeaving: boolean
  /** The same for wallets at their caps, in runs that have them. */
  readonly #caps: Trader
  readonly isCapped: boolean
  readonly #run: Run
  readonly #random: Random
  /** Answered actions, kept for a much later retry. */
  readonly #answered: Action[] = []
  /** Micros by deposit id. */
  readonly #deposits = new Map<string, number>()
  #cappedLeft = cappedFirst
  #nextRequest = 1

  constructor(run: Run, clock: VirtualClock) {
    this.#run = run
    this.#random = new Random(run.seed, 'clients')
    const nonces = { next: 1000 }
    this.#trader = new Trader(this.#random, clock, nonces)
    const random = new Random(run.seed, 'providers')
    this.#providers = new Trader(random, clock, { next: 1_000_000 })
    this.#auctions = new Trader(new Random(run.seed, 'auctions'), clock, nonces)
    this.#services = new Trader(new Random(run.seed, 'services'), clock, { next: 2_000_000 })
    this.#safety = new Trader(new Random(run.seed, 'safety'), clock, { next: 3_000_000 })
    const leaving = new Random(run.seed, 'leaving')
    this.#isLeaving = leaving.chance(leavingShare) && run.plan.has('services')
    this.#leaving = new Trader(leaving, clock, { next: 4_000_000 })
    const caps = new Random(run.seed, 'caps')
    this.isCapped = caps.chance(cappedShare) && run.plan.has('caps')
    this.#caps = new Trader(caps, clock, { next: 5_000_000, isRising: true })
    this.#opening = openingActions(this.#trader)
    this.open = [...this.#opening]
    if (run.plan.has('requests')) this.open.push(...openingProviders(this.#providers))
    if (run.plan.has('auctions')) this.open.push(...openingAuctions(this.#auctions))
    if (this.isCapped) this.open.push(...openingCaps())
  }

  /** Sum of the acknowledged deposits; a duplicate counts once. */
  get depositsMicros(): bigint {
    let sum = 0n
    for (const micros of this.#deposits.values()) sum += BigInt(micros)
    return sum
  }

  /** Sends new actions, and some of the old ones again. */
  act(process: Served): void {
    this.#trader.auctions = () => process.market.auctions.running
    this.retry(process, retriesPerTurn)
    if (this.open.length >= openMax) return
    // Before the market is open most turns send nothing.
    const isOpening = this.#opening.some(({ answer }) => answer === null)
    if (isOpening && this.#random.below(4) > 0) return
    const isFlood = process.plan.hasSmallRings && this.#random.below(8) === 0
    const count = this.#random.between(1, isFlood ? 8 * newPerTurnMax : newPerTurnMax)
    for (let i = 0; i < count; i++) this.#sendNew(process)
    if (this.#run.plan.has('requests')) this.#sendOfProviders(process)
    if (this.#run.plan.has('auctions')) this.#sendOfAuctions(process)
    if (this.#run.plan.has('services')) this.#sendOfServices(process)
    if (this.#run.plan.has('safety')) this.#sendOfSafety(process)
    if (this.#isLeaving) this.#sendOfLeaving(process)
    if (this.isCapped) this.#sendOfCaps(process)
    if (this.#run.plan.strikes('late', 0.1)) this.#sendLate(process)
  }

  /** Retries, and continues to answer waiting orders while there are any. */
  finish(process: Served): void {
    this.retry(process, retriesWhileFinishing)
    if (this.#auctions.providers().length === 0) return
    this.#hear(process)
    const isWaiting = this.#auctions.rfqs().open.some(({ auctioned }) => auctioned !== null)
    if (isWaiting) this.#answerAuctions(process)
  }

  /** Sends unanswered actions that are not in flight, oldest first. */
  retry(process: Served, most: number): void {
    let count = 0
    for (const action of this.open) {
      if (count === most) break
      // Operator commands have no nonce. A failed one might succeed when sent again, but its client already has the
      // answer.
      if (action.isUnderWay || action.isAnswered) continue
      if (action.isSent) this.#run.statistics.add('asked again')
      if (!this.#send(process, action)) break
      count++
    }
  }

  /** Records an answer. */
  take(action: Action, outcome: Outcome): void {
    const { statistics } = this.#run
    this.acknowledgements.take(action, outcome)
    statistics.add('answers')
    if (outcome.isRepeat) statistics.add('repeats answered')
    if (outcome.result === Result.OutsidePriceBand) statistics.add('prices outside a band')
    if (outcome.result === Result.ObservationAhead) statistics.add('index from ahead')
    if (action.answer !== null) return
    action.answer = outcome
    this.delivered.take(action.command, outcome.result)
    if (this.delivered.isWithdrawal(action.command, outcome.result)) statistics.add('withdrawals')
    this.#trader.noteAnswer(action, outcome)
    if (outcome.result === Result.NotWithdrawable && outcome.detail > 0) {
      this.#leaving.spare.set(action.wallet, outcome.detail)
    }
    if (action.command.recordType !== CommandType.Deposit) return
    const { depositIdText, amountMicros } = deposit.of(action.command)
    if (outcome.result === Result.Accepted) this.#deposits.set(depositIdText, amountMicros)
  }

  /** Drops answered actions, except those kept for a late retry. */
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
    const made = this.#random.pickWeighted(generators).make(this.#trader)
    if (made === null) return
    const action = this.#maybeShown(made)
    this.open.push(action)
    for (const part of action.parts) this.#trader.noteSent(part)
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
    const trader = this.#providers
    const action = trader.random.pickWeighted(generators).make(trader)
    if (action !== null && this.#sendMade(process, action, trader)) this.#run.plan.count('requests')
  }

  #sendOfServices(process: Served): void {
    const trader = this.#services
    if (trader.random.below(servicesIn) > 0) return
    const action = trader.random.pickWeighted(serviceCommands).make(trader)
    if (action !== null && this.#sendMade(process, action, trader)) this.#run.plan.count('services')
  }

  #sendOfLeaving(process: Served): void {
    const trader = this.#leaving
    for (let count = trader.random.below(leavingMax + 1); count > 0; count--) {
      const action = trader.random.pickWeighted(withdrawalCommands).make(trader)
      if (action !== null) this.#sendMade(process, action, trader)
    }
  }

  /**
   * Sends the start of a run at the caps.
   * @returns true while there is more to send
   */
  fillToCaps(process: Served): boolean {
    this.retry(process, retriesWhileFinishing)
    if (this.open.some(({ isUnderWay }) => !isUnderWay)) return true
    const isOpening = this.#opening.some(({ answer }) => answer === null)
    while (!isOpening && this.#cappedLeft > 0) {
      this.#cappedLeft--
      if (!this.#sendCapped(process, fillToCap(this.#caps))) break
    }
    return this.#cappedLeft > 0 || this.open.length > 0
  }

  #sendOfCaps(process: Served): void {
    const trader = this.#caps
    // Unsent actions go first: a nonce window has room for few that overtake each other.
    if (this.open.some(({ isUnderWay, lane }) => lane !== null && !isUnderWay)) return
    for (let count = trader.random.below(cappedMax + 1); count > 0; count--) {
      const action = trader.random.pickWeighted(capsCommands).make(trader)
      if (action !== null && !this.#sendCapped(process, action)) return
    }
  }

  #sendCapped(process: Served, action: Action): boolean {
    action.lane = action.wallet
    const isSent = this.#sendMade(process, action, this.#caps)
    if (isSent) this.#run.plan.count('caps')
    return isSent
  }

  #sendOfSafety(process: Served): void {
    const trader = this.#safety
    trader.rfqs = () => process.market.rfqs
    if (trader.random.below(safetyIn) > 0) return
    const action = trader.random.pickWeighted(safetyCommands).make(trader)
    if (action === null) return
    this.sentScopes.note(action.command)
    if (this.#sendMade(process, action, trader)) this.#run.plan.count('safety')
  }

  #sendMade(process: Served, action: Action, { random }: Trader): boolean {
    this.open.push(action)
    return this.#send(process, action, random)
  }

  /** Sometimes adds provider rows to an order of the other clients. */
  #maybeShown(action: Action): Action {
    const { plan } = this.#run
    if (!maySeeRows(action) || seesRows(action)) return action
    if (!plan.strikes('auctions', shownShare)) return action
    return withRows(this.#auctions, this.sentRows, action)
  }

  /** Reads events in time: a provider that learns of an order too late cannot help it. */
  #hear({ market }: Served): void {
    const trader = this.#auctions
    if (trader.random.below(4) > 0) market.doWork(eventsHeard)
    const { providers, rfqs } = market
    trader.rfqs = () => rfqs
    trader.providers = () => providers.all
  }

  #sendOfAuctions(process: Served): void {
    const trader = this.#auctions
    const { random } = trader
    this.#hear(process)
    const missing = missingProvider(trader)
    if (missing !== null) this.#sendMade(process, missing, trader)
    const isBusy = random.below(2) === 0 || this.open.length > openWhileShown
    for (let count = isBusy ? 0 : random.below(shownMax + 1); count > 0; count--) {
      const isSent = this.#sendMade(process, placeShown(trader, this.sentRows), trader)
      if (isSent) this.#run.plan.count('auctions')
    }
    this.#answerAuctions(process)
  }

  #answerAuctions(process: Served): void {
    const trader = this.#auctions
    const { random } = trader
    const isWaiting = trader.rfqs().open.some(({ auctioned }) => auctioned !== null)
    if (!isWaiting && random.below(auctionEndsIn) > 0) return
    for (let count = random.below(auctionAnswersMax + 1); count > 0; count--) {
      const isEnd = random.below(auctionEndsIn) === 0
      const action = random.pickWeighted(isEnd ? auctionEnds : auctionAnswers).make(trader)
      if (action !== null) this.#sendMade(process, action, trader)
    }
  }

  #sendLate(process: Served): void {
    const signed = this.#answered.filter(({ isSigned }) => isSigned)
    if (signed.length === 0) return
    const action = this.#run.plan.random('late').pick(signed)
    if (this.#send(process, action)) this.#run.plan.count('late')
  }

  #send(process: Served, action: Action, random = this.#random): boolean {
    const { gateways, operator } = process
    // The gateway with the session sends unsigned commands.
    const { recordType } = action.command
    const isOfSession = sessionCommands.includes(recordType)
    const isOfGateway = action.isSigned || isOfSession
    const { lane } = action
    const pick = () => (lane === null ? random.pick(gateways) : gateways[lane % gateways.length])
    const gateway = isOfGateway ? pick() : operator
    const isSent = gateway.send(action, this.#nextRequest)
    if (isSent) this.#nextRequest += action.parts.length
    else this.#run.statistics.add('full command ring')
    return isSent
  }

  /** @throws Violation when an action is still without an answer */
  mustBeAnswered(): void {
    const [first] = this.open
    mustHold(first === undefined, () => {
      return `${this.open.length} actions are not answered, the first of type ${first.command.recordType}`
    })
  }
}
