import { commandsPerBatchMax } from '../../../schemas/bounds.js'
import {
  AnyCommand,
  CancelOrderCommand,
  CommandType,
  PlaceOrderCommand,
} from '../../../schemas/generated/commands.js'
import { MatchedFill, ResultRecord } from '../../../schemas/generated/results.js'
import type { RecordViews } from '../../../schemas/record-views.js'
import type { Ring } from '../../memory/ring.js'
import { none, rowCells } from '../../memory/rows.js'
import { slotOf } from '../../state/orders/orders.js'
import { type DecideOrderState, namedInstrument } from './decide-order.js'

// Prefetch: before a batch is decided, the memory that its commands need is read once, only to bring it into the
// processor's cache. Deciding one command after the other waits for memory some ten times each, because each address
// depends on the previous read. Short loops over all commands wait for many addresses at a time. The prefetch changes
// nothing and nobody uses its values, so a batch has the same result whatever it leaves out.

const waiting = new AnyCommand()
const place = new PlaceOrderCommand()
const cancel = new CancelOrderCommand()
const fill = new MatchedFill()
const accounts = new Int32Array(commandsPerBatchMax)
const instruments = new Int32Array(commandsPerBatchMax)
const slots = new Int32Array(commandsPerBatchMax)
const orderIds = new Float64Array(commandsPerBatchMax)
/** 1 if somebody other than the wallet signed: an agent, if the signature is valid. */
const byOther = new Uint8Array(commandsPerBatchMax)

/** With fewer waiting commands, prefetching saves nothing. */
const prefetchMin = 4

/** Receives the sums, so that no compiler removes the reads. */
const sink = new Int32Array(1)

/** Prefetches for the command records from byte `from` to `to`. */
export function prefetchCommands(
  state: DecideOrderState,
  views: RecordViews,
  from: number,
  to: number,
): void {
  let count = 0
  for (let at = from; at < to; at += waiting.recordBytes) {
    count = noteCommand(state, waiting.over(views, at), count)
  }
  prefetchNoted(state, count)
}

/**
 * Prefetches for the commands that wait in a ring, up to the number that one batch may take.
 * @returns the number of commands read.
 */
export function prefetchWaiting(state: DecideOrderState, ring: Ring): number {
  let readCount = 0
  let count = 0
  let at = ring.lookAhead(true)
  for (; at >= 0 && readCount < commandsPerBatchMax; at = ring.lookAhead(false)) {
    readCount++
    count = noteCommand(state, waiting.over(ring, at), count)
  }
  if (count >= prefetchMin) prefetchNoted(state, count)
  return readCount
}

/** @returns the number of noted commands, including this one if it is about an order. */
function noteCommand(state: DecideOrderState, command: AnyCommand, count: number): number {
  const { recordType, signerAt, u32, walletAt } = command
  if (recordType === CommandType.PlaceOrder || recordType === CommandType.ReplaceOrder) {
    instruments[count] = namedInstrument(state, place.of(command))
    orderIds[count] = place.oldOrderId
  } else if (recordType === CommandType.CancelOrder) {
    instruments[count] = none
    orderIds[count] = cancel.of(command).orderId
  } else {
    return count
  }
  accounts[count] = state.accounts.findWords(u32, walletAt >> 2)
  byOther[count] = u32[walletAt >> 2] === u32[signerAt >> 2] ? 0 : 1
  return count + 1
}

function prefetchNoted(state: DecideOrderState, count: number): void {
  sink[0] += readAccounts(state, count) + readIndexes(state, count)
  sink[0] += findOrders(state, count)
  sink[0] += readExposures(state, count) + state.orderIndex.prefetchFinals(count)
}

/** Prefetches the orders of the makers in the results that wait in a ring. */
export function prefetchResults(state: DecideOrderState, ring: Ring): void {
  const { orders } = state
  let count = 0
  let sum = 0
  let at = ring.lookAhead(true)
  for (; at >= 0 && count < commandsPerBatchMax; at = ring.lookAhead(false)) {
    if (fill.over(ring, at).recordType !== ResultRecord.Fill) continue
    const slot = slotOf(fill.makerHandle)
    slots[count++] = slot
    sum += orders.orderId[slot] + orders.account[slot] + orders.status[slot]
  }
  const { exposures } = state.risk
  for (let i = 0; i < count; i++) {
    const exposure = orders.exposure[slots[i]]
    if (exposure !== none) sum += exposures.positionLots[exposure] + exposures.group[exposure]
  }
  sink[0] += sum
}

function readAccounts(state: DecideOrderState, count: number): number {
  const { agents, agentNonces, nonces, outcomes } = state.accounts
  let sum = 0
  for (let i = 0; i < count; i++) {
    const account = accounts[i]
    if (account < 0) continue
    sum += outcomes[account].nextWord
    if (byOther[i] === 0) sum += nonces[account].latestWord
    else sum += (agentNonces[account]?.latestWord ?? 0) + agents.firstByte(account)
  }
  return sum
}

function readIndexes(state: DecideOrderState, count: number): number {
  const { exposures } = state.risk
  let sum = 0
  for (let i = 0; i < count; i++) {
    if (instruments[i] !== none) sum += exposures.prefetchIndex(accounts[i], instruments[i])
    if (orderIds[i] !== 0) sum += state.orderIndex.prefetchIndex(orderIds[i])
  }
  return sum
}

function findOrders(state: DecideOrderState, count: number): number {
  const { orders, orderIndex } = state
  let sum = 0
  for (let i = 0; i < count; i++) {
    if (orderIds[i] === 0) {
      slots[i] = none
      continue
    }
    const slot = orderIndex.find(orderIds[i])
    slots[i] = slot
    if (slot !== none) sum += orders.account[slot] + orders.status[slot]
  }
  return sum
}

function readExposures(state: DecideOrderState, count: number): number {
  const { orders } = state
  const { exposures } = state.risk
  let sum = 0
  for (let i = 0; i < count; i++) {
    const slot = slots[i]
    let exposure: number = none
    if (slot !== none) exposure = orders.exposure[slot]
    else if (instruments[i] !== none) exposure = exposures.find(accounts[i], instruments[i])
    if (exposure !== none) sum += exposures.positionLots[exposure] + exposures.group[exposure]
    // The others are cancels, which need no margin check.
    if (instruments[i] !== none) readBuckets(state, accounts[i], exposure)
  }
  return sum
}

/**
 * Prefetches the wallet's buckets for the margin check, and more of the bucket that the order changes. It returns no
 * sum, because the number would be boxed.
 */
function readBuckets(state: DecideOrderState, account: number, exposure: number): void {
  const { buckets, exposures, firstBucket, groups } = state.risk
  if (account < 0) return
  let sum = 0
  let bucket = firstBucket[account]
  for (; bucket !== none; bucket = buckets.nextInAccount[bucket]) sum += buckets.version[bucket]
  sink[0] += sum
  if (exposure === none) return
  const own = groups.bucket[exposures.group[exposure]]
  const scenarios = buckets.scenariosAt(own)
  sum += buckets.positionPnl[scenarios] + buckets.positionPnl[scenarios + rowCells]
  sum += buckets.sellLoss[scenarios] + buckets.sellLoss[scenarios + rowCells]
  let group = buckets.firstGroup[own]
  for (; group !== none; group = groups.nextInBucket[group]) sum += groups.lots[group]
  sink[0] += sum
}
