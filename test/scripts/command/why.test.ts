import assert from 'node:assert/strict'
import { appendFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { engineConfigDefault } from '../../../engine/state/market/engine-config.js'
import { underlyingsMax } from '../../../schemas/bounds.js'
import { HaltMode, Tier } from '../../../schemas/domain.js'
import { AnyCommand, CommandType, DepositCommand } from '../../../schemas/generated/commands.js'
import { EventType, OutcomeEvent } from '../../../schemas/generated/events.js'
import { resultRows } from '../../../schemas/results.js'
import type { WhyValue } from '../../../scripts/command/why/why-order.js'
import { VenueFolder } from '../../../scripts/venue-data/venue-folder.js'
import { WhatIf } from '../../../scripts/venue-data/what-if.js'
import { AuctionRig, rowsOf } from '../../support/auction-rig.js'
import { KeptData } from '../../support/kept-data.js'
import { call100k } from '../../support/rfq-rig.js'
import { type RigOrder, walletOf } from '../../support/rig-commands.js'
import { RigFolder } from '../../support/rig-folder.js'
import { strikebook, strikebookJson } from '../../support/strikebook.js'

const poor = 9
const trader = 4
const nonces = {
  margin: 901,
  cash: 902,
  band: 903,
  reduce: 904,
  frozen: 905,
  halted: 906,
  alo: 907,
  tier: 908,
  stranger: 909,
  twice: 910,
  cancel: 911,
  bulk: 912,
  replace: 913,
}
const published = emitStory()
const folder = new RigFolder(published.rig.batches, 1 << 14)
const cold = new KeptData('clean')
after(() => {
  folder.dispose()
  cold.dispose()
})
const dataDir = `--data-dir=${folder.dataDir}`
const addressOf = (wallet: number) => `0x${Buffer.from(walletOf(wallet)).toString('hex')}`
const signed = (wallet: number, nonce: number) => [
  ...[`--wallet=${addressOf(wallet)}`, `--nonce=${nonce}`],
]
const why = (...words: string[]) => strikebookJson<WhyValue>('why', dataDir, ...words)

/** A market in which orders come to everything that they can come to. */
function emitStory() {
  const rig = new AuctionRig()
  rig.openAuctions()
  rig.deposit(poor, 5000)
  const last = () => {
    rig.run()
    return rig.state.orderCount * underlyingsMax
  }
  const order = { instrument: call100k, side: 'Sell', price: '3400', size: '0.1' } as const
  const put = (terms: Partial<RigOrder> & { readonly wallet: number }) => {
    rig.place({ ...order, ...terms })
    return last()
  }
  put({ wallet: poor, size: '2', nonce: nonces.margin })
  put({ wallet: poor, side: 'Buy', price: '3299', size: '2', nonce: nonces.cash })
  const bands = { ...engineConfigDefault.bands, enabled: true }
  rig.configure({ ...engineConfigDefault, bands })
  put({ wallet: poor, side: 'Buy', price: '90000', nonce: nonces.band })
  rig.configure(engineConfigDefault)
  put({ wallet: poor, reduceOnly: true, nonce: nonces.reduce })
  put({ wallet: poor, side: 'Buy', price: '3300', tif: 'alo', nonce: nonces.alo })
  put({ wallet: poor, signer: 77, nonce: nonces.stranger })
  rig.tier(poor, Tier.Tier1)
  put({ wallet: poor, nonce: nonces.tier })
  rig.tier(poor, Tier.Tier2)
  const filled = put({ wallet: poor, side: 'Buy', price: '3300' })
  rig.halt(HaltMode.CancelOnly, 'BTC')
  put({ wallet: trader, nonce: nonces.halted })
  put({ wallet: trader, nonce: nonces.twice })
  rig.halt(HaltMode.Open, 'BTC')
  const resting = put({ wallet: trader, nonce: nonces.twice })
  const moved = put({ wallet: trader, price: '3500', replaces: resting, nonce: nonces.replace })
  rig.cancel(trader, moved, { nonce: nonces.cancel })
  rig.run()
  rig.bulk(() => {
    rig.place({ ...order, wallet: trader, price: '3600' })
    rig.place({ ...order, wallet: poor, size: '7', nonce: nonces.bulk })
    rig.place({ ...order, wallet: trader, price: '3601' })
  })
  rig.setMmp(3, { underlying: 'BTC', interval: 60_000, frozen: 50_000, qty: 0.1 })
  put({ wallet: 3, price: '3290', mmpEnabled: true })
  put({ wallet: trader, side: 'Buy', price: '3290', tif: 'ioc' })
  put({ wallet: 3, mmpEnabled: true, nonce: nonces.frozen })
  rig.ask(rowsOf(3289), { size: '1' })
  const auctioned = last()
  rig.nowMillis += 1000
  const working = put({ wallet: trader, price: '3700' })
  rig.submit({ id: 1, legs: [[call100k, 3]], limit: 9000 })
  rig.run()
  rig.nowMillis += 5001
  const requested = last()
  return { rig, filled, resting, moved, auctioned, working, requested }
}

/** Returns the failed check, its reason code, and the compared values. */
function refusal({ checks, decision }: WhyValue): readonly (string | null)[] {
  const failed = checks.find(({ verdict }) => verdict === 'failed')!
  assert.equal(failed.check, decision.failedCheck)
  return [failed.check, decision.code, failed.has, failed.needs ?? failed.limit]
}

/** The answer to the command with the nonce, after a deposit in front of its batch. */
function afterDeposit({ batch, order }: WhyValue, usd: number): string {
  const results: string[] = []
  const outcome = new OutcomeEvent()
  const run: WhatIf = new WhatIf(new VenueFolder(folder.dataDir), batch.number, (views, at) => {
    if (views.i32[(at + 4) >> 2] !== EventType.Outcome) return
    const { command, facts, result } = outcome.over(views, at)
    const isOrder =
      command === CommandType.PlaceOrder && facts.sizeLots === Math.round(Number(order.size) * 1e8)
    if (isOrder) results.push(resultRows[result].code ?? 'accepted')
  })
  const deposit = new DepositCommand()
  run.run(
    batch.number,
    {
      fromBatch: batch.number,
      configure: null,
      insert: (ring) => {
        deposit.claim(ring, CommandType.Deposit)
        new AnyCommand().of(deposit).clear()
        deposit.u8.set(walletOf(poor), deposit.walletAt)
        deposit.amountMicros = Math.round(usd * 1e6)
      },
    },
    null,
  )
  return results.at(-1)!
}

test('an order that margin has rejected passes with the missing amount, and not with a micro less', () => {
  const value = why(...signed(poor, nonces.margin))
  const [check, code, has, needs] = refusal(value)
  assert.deepEqual([check, code], ['margin', 'insufficient_margin'])
  assert.ok(Number(has) < Number(needs))
  const { margin, needed } = value
  assert.equal(margin!.binding, 'scenario')
  assert.ok(Number(margin!.scenario!.loss) > 0 && margin!.scenario!.spotShift !== 0)
  assert.equal(needed!.deposit, margin!.amounts['shortfall'])
  assert.equal(afterDeposit(value, Number(needed!.deposit)), 'accepted')
  assert.equal(afterDeposit(value, Number(needed!.deposit) - 1e-6), 'insufficient_margin')
  assert.ok(Number(needed!.size) > 0 && Number(needed!.size) < 2)
  assert.equal(value.afterwards, null)
})

test('each rejection names its check, and the compared values', () => {
  const refusalOf = (wallet: number, nonce: number) => refusal(why(...signed(wallet, nonce)))
  assert.deepEqual(refusalOf(poor, nonces.cash).slice(0, 3), ['cash', 'insufficient_cash', '5000'])
  assert.deepEqual(refusalOf(poor, nonces.band).slice(0, 3), ['price_band', 'price_band', '90000'])
  assert.deepEqual(refusalOf(poor, nonces.reduce), ['reduce_only', 'reduce_only', '0.1', '0'])
  assert.deepEqual(refusalOf(poor, nonces.tier), ['tier', 'tier_long_only', '0.1', '0'])
  assert.deepEqual(refusalOf(poor, nonces.alo).slice(0, 2), ['book', 'post_only_would_trade'])
  assert.deepEqual(refusalOf(trader, nonces.halted).slice(0, 2), ['halt', 'trading_halted'])
  assert.deepEqual(refusalOf(3, nonces.frozen).slice(0, 2), ['protection', 'mmp_frozen'])
  const stranger = why(...signed(poor, nonces.stranger))
  assert.deepEqual(refusal(stranger).slice(0, 2), ['signer', 'unauthorized'])
  assert.ok(stranger.checks.slice(1).every(({ verdict }) => verdict === 'not_reached'))
})

test('an accepted order has passed every check, and is followed to its end', () => {
  const { afterwards, checks, decision, margin, needed } = why(String(published.filled))
  assert.equal(decision.status, 'accepted')
  assert.ok(checks.every(({ verdict }) => verdict === 'passed'))
  assert.ok(Number(margin!.amounts['required']) > 0)
  assert.equal(needed, null)
  const { averagePrice, fillCount, filled, status } = afterwards!
  assert.deepEqual([status, filled, averagePrice, fillCount], ['FILLED', '0.1', '3300', 1])
})

test('a replaced order, its cancelled successor, and a working one are shown', () => {
  const replaced = why(String(published.resting)).afterwards!
  assert.deepEqual([replaced.status, replaced.reason], ['CANCELED', 'replaced'])
  const moved = why(String(published.moved))
  assert.deepEqual([moved.order.action, moved.order.replaces], ['ReplaceOrder', published.resting])
  assert.equal(moved.afterwards!.status, 'CANCELED')
  assert.equal(why(String(published.working)).afterwards!.status, 'WORKING')
})

test('an item of a bulk is shown with the other items', () => {
  const { batch, decision } = why(...signed(poor, nonces.bulk))
  assert.equal(decision.status, 'rejected')
  const neighbours = batch.neighbours.map(({ isOrder, result }) => [isOrder, result])
  assert.deepEqual(neighbours, [
    [false, 'accepted'],
    [true, decision.code],
    [false, 'accepted'],
  ])
  assert.equal(batch.commands, 3)
})

test('an order that waited for quotes says so', () => {
  const { afterwards, decision } = why(String(published.auctioned))
  assert.equal(decision.status, 'accepted')
  assert.equal(afterwards!.waitedForQuotes!.askedCount, 2)
  assert.equal(afterwards!.status, 'FILLED')
})

test('the fallback order of a request for quote has no command, but has its checks', () => {
  const { batch, checks, decision, notes, order } = why(String(published.requested))
  assert.equal(order.orderId, published.requested)
  assert.equal(decision.status, 'accepted')
  assert.equal(batch.place, null)
  assert.ok(checks.some(({ check, verdict }) => check === 'margin' && verdict === 'passed'))
  assert.ok(checks.some(({ check, verdict }) => check === 'signer' && verdict === 'not_reached'))
  assert.match(notes[0]!, /a request for quote fell back/)
})

test('the last of several commands with one nonce is shown, unless its batch is named', () => {
  const accepted = why(...signed(trader, nonces.twice))
  assert.equal(accepted.order.orderId, published.resting)
  assert.equal(accepted.sameNonce.length, 1)
  const refused = why(...signed(trader, nonces.twice), '--batch', String(accepted.sameNonce[0]))
  assert.equal(refused.decision.code, 'trading_halted')
})

test('the text for people marks the check that failed, and names the source of the stages', () => {
  const { code, out } = strikebook('why', dataDir, ...signed(poor, nonces.margin))
  assert.equal(code, 0)
  assert.match(out, /^margin .*FAILED {2}<---/m)
  assert.match(out, /bound by scenario; worst scenario \w+ \(.*\): loss [\d.]+ x/)
  assert.match(out, /to pass, the order would have needed:\n {2}[\d.]+ USD more equity/)
  assert.match(out, /stage times: none \(no venue runs on /)
})

test('a missing order fails, and the error names the searched range', () => {
  const { batchNumber } = published.rig.state
  const failure = (...words: string[]) => {
    const { code, error } = strikebook('why', ...words)
    assert.equal(code, 1, words.join(' '))
    return error
  }
  assert.match(failure(dataDir, '99999999'), new RegExp(`searched batches 1 to ${batchNumber}`))
  assert.match(failure(dataDir, String(published.filled + 1)), /either no order has this id/)
  assert.match(failure(dataDir, ...signed(trader, 7_777)), /a request that failed in a gateway/)
  assert.match(failure(dataDir, ...signed(trader, nonces.cancel)), /has a CancelOrder with it/)
  const { out } = strikebook('why', dataDir, '99999999', '--json')
  assert.equal(JSON.parse(out).ok, false)
})

test('a command line that names no order, or two, is wrong', () => {
  const half = signed(trader, 1)[0]!
  for (const words of [
    [],
    [half],
    ['7', half],
    ['7', ...signed(trader, 1)],
    ['x'],
    ['--nonce=-1'],
  ]) {
    assert.equal(strikebook('why', dataDir, ...words).code, 2, words.join(' '))
  }
  assert.match(strikebook('why', '--help').out, /strikebook why 10240/)
})

test('an order of an archived segment is found, and one from before all stored segments is not', () => {
  interface Rows {
    readonly rows: readonly { readonly orderId: number; readonly wallet: string }[]
  }
  const at = `--data-dir=${cold.dataDir}`
  const { rows } = strikebookJson<Rows>('inspect', 'state', 'orders', at)
  const [{ orderId, wallet }] = rows as [Rows['rows'][number]]
  const { batch, order } = strikebookJson<WhyValue>('why', at, String(orderId))
  assert.match(batch.segment, /^journal\/archive\//)
  assert.equal(order.wallet, wallet)
  const archive = join(cold.dataDir, 'journal', 'archive')
  for (const name of readdirSync(archive)) {
    if (name.startsWith('segment') && name <= batch.segment.slice(-name.length)) {
      rmSync(join(archive, name))
    }
  }
  const { code, error } = strikebook('why', at, String(orderId))
  assert.equal(code, 1)
  assert.match(error, /the oldest state that is kept here is that after batch \d+/)
  const byNonce = strikebook('why', at, `--wallet=${wallet}`, `--nonce=${order.nonce}`)
  assert.match(byNonce.error, /batches before \d+ are not kept here: bring their segments back/)
})

test('a torn end of the journal is named if nothing is found, and does not hide earlier records', () => {
  const journal = join(folder.dataDir, 'journal')
  const last = readdirSync(journal).sort().at(-1)!
  appendFileSync(join(journal, last), Buffer.alloc(40, 7))
  assert.equal(why(String(published.working)).afterwards!.status, 'WORKING')
  const { error } = strikebook('why', dataDir, '99999999')
  assert.match(error, new RegExp(`${last} ends with an incomplete record at offset \\d+: 40 bytes`))
})
