import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { EventScript, smallMemory, walletOf } from '../../../../bench/event-script.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { HistoryQueries } from '../../../../gateway/read-model/history/history-query.js'
import { HistoryWriter } from '../../../../gateway/read-model/history/history-writer.js'
import { DeliveryStatus, DirectiveAction, DomainStatus } from '../../../../schemas/domain.js'
import { DirectiveEvent } from '../../../../schemas/generated/events.js'
import { AccountChange } from '../../../../schemas/record-values.js'
import { uuidOf } from '../../../../schemas/uuid.js'
import { writeAddress } from '../../../../schemas/wallet.js'
import { rfqUuid } from '../../../support/rfq-script.js'

const start = 1_000_000
const [wallet, other] = [walletOf(1), walletOf(2)]

interface Told {
  readonly number: number
  readonly wallet?: string
  readonly action?: DirectiveAction
  readonly domain?: DomainStatus
  readonly delivery?: DeliveryStatus
  readonly hash?: number
}

function tell(script: EventScript, { number, wallet: of = wallet, hash = 0, ...facts }: Told) {
  const event = new DirectiveEvent()
  event.claim(script)
  Object.assign(event, {
    ...{
      amountMicros: number * 1e6,
      createdMillis: start,
      domain: DomainStatus.PendingChainEffect,
    },
    ...facts,
  })
  event.u8.set(uuidOf(0, number), event.directiveIdAt)
  writeAddress(of, event.u8, event.walletAt)
  event.u8[event.txHashAt + 31] = hash
}

/** Asks a store that has taken in what `write` says. */
function withStore(
  write: (script: EventScript) => void,
  // biome-ignore lint/suspicious/noExplicitAny: the wire has no types
  use: (ask: (path: string, query?: string) => any) => void,
  keepDays = 0,
): void {
  const dataDir = mkdtempSync(join(tmpdir(), 'history-'))
  try {
    const memory = smallMemory()
    const script = new EventScript(memory, start)
    const writer = new HistoryWriter(memory, dataDir, engineConfigDefault, () => 0, keepDays)
    writer.onStart()
    write(script)
    script.commit()
    writer.onClose()
    const queries = new HistoryQueries(dataDir)
    use((path, query = '') => {
      const { status, body } = queries.answer({ path, query })
      return { http: status, ...JSON.parse(body) }
    })
    queries.close()
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}

function deposited(script: EventScript, amount: number, of = wallet): void {
  const facts = { account: 0, cashMicros: 0, deltaMicros: amount * 1e6 }
  script.account({ wallet: of, change: AccountChange.Deposit, ...facts })
}

/** Two deposits and three withdrawals, one of which is another wallet's, and an order. */
function story(script: EventScript): void {
  deposited(script, 100)
  tell(script, { number: 1 })
  tell(script, { number: 2, wallet: other })
  tell(script, { number: 3, action: DirectiveAction.LimitOrder, domain: DomainStatus.Completed })
  deposited(script, 200)
  tell(script, { number: 4 })
  const [domain, delivery] = [DomainStatus.Completed, DeliveryStatus.Finalized]
  tell(script, { number: 1, domain, delivery, hash: 0xab })
}

test('a directive has the state of its latest event', () => {
  withStore(story, (ask) => {
    assert.deepEqual(ask(`/v1/directives/${rfqUuid(1)}`), {
      http: 200,
      directive_id: rfqUuid(1),
      action_key: 'hl_send_asset',
      domain_status: 'completed',
      delivery_status: 'finalized',
      tx_hash: `0x${'00'.repeat(31)}ab`,
      created_at: new Date(start).toISOString(),
      as_of_seq: 7,
    })
    const order = ask(`/v1/directives/${rfqUuid(3).toUpperCase()}`)
    assert.deepEqual([order.action_key, order.tx_hash], ['hl_limit_order', null])
    for (const id of [rfqUuid(9), 'x', `${rfqUuid(1)}/more`]) {
      const { http, code } = ask(`/v1/directives/${id}`)
      assert.deepEqual([http, code], [404, 'not_found'])
    }
  })
})

test('withdrawals are those of one wallet, newest first, and keep their places', () => {
  withStore(story, (ask) => {
    const { withdrawals, as_of_seq } = ask('/v1/withdrawals', `wallet=${wallet}`)
    const ids = withdrawals.map((row: { directive_id: string }) => row.directive_id)
    assert.deepEqual([ids, as_of_seq], [[rfqUuid(4), rfqUuid(1)], 7])
    assert.equal(ask('/v1/withdrawals', `wallet=${wallet}&limit=1`).withdrawals.length, 1)
    assert.equal(ask('/v1/withdrawals', `wallet=${wallet}&limit=101`).code, 'invalid_parameter')
    assert.equal(ask('/v1/withdrawals').code, 'missing_field')
  })
})

test('transfers have both kinds, in the order of their beginning, page by page', () => {
  withStore(story, (ask) => {
    const whole = ask('/v1/transfers', `wallet=${wallet}`)
    assert.deepEqual(
      whole.data.map((row: Record<string, string>) => [row['id'], row['amount'], row['status']]),
      [
        [rfqUuid(4), '4', 'pending'],
        ['5', '200', 'completed'],
        [rfqUuid(1), '1', 'completed'],
        ['1', '100', 'completed'],
      ],
    )
    assert.deepEqual(whole.page, { limit: 50, next_cursor: null, has_more: false })
    assert.deepEqual([whole.success, whole.error, whole.as_of_seq], [true, null, 7])
    assert.deepEqual(whole.data[2], {
      ...{ id: rfqUuid(1), transaction_type: 'withdrawal', subtype: 'usdc_withdrawal' },
      ...{ asset_type: 'token', asset_symbol: 'USDC', amount: '1', status: 'completed' },
      ...{ domain_status: 'completed', delivery_status: 'finalized' },
      ...{ tx_hash: `0x${'00'.repeat(31)}ab`, tx_hash_type: 'hypercore' },
      created_at: new Date(start).toISOString(),
    })
    const paged: unknown[] = []
    for (let cursor = '', pages = 0; pages < 5; pages++) {
      const query = cursor === '' ? '' : `&cursor=${cursor}`
      const { data, page } = ask('/v1/transfers', `wallet=${wallet}&limit=1${query}`)
      paged.push(...data)
      assert.equal(page.has_more, page.next_cursor !== null)
      if (!page.has_more) break
      cursor = page.next_cursor
    }
    assert.deepEqual(paged, whole.data)
  })
})

test('transfers of one step, as published at a start, are paged by their ids', () => {
  const bootstrap = (script: EventScript) => {
    deposited(script, 1)
    script.bootstrapBegin()
    for (let number = 1; number <= 3; number++) tell(script, { number })
    script.bootstrapEnd()
  }
  withStore(bootstrap, (ask) => {
    const first = ask('/v1/transfers', `wallet=${wallet}&limit=2`)
    const rest = ask('/v1/transfers', `wallet=${wallet}&cursor=${first.page.next_cursor}`)
    const ids = [...first.data, ...rest.data].map(({ id }) => id)
    assert.deepEqual(ids, [rfqUuid(3), rfqUuid(2), rfqUuid(1), '1'].sort().reverse())
  })
})

test('transfers are filtered by lists with commas', () => {
  withStore(story, (ask) => {
    const idsBy = (filter: string) =>
      ask('/v1/transfers', `wallet=${wallet}&${filter}`).data.map(({ id }: { id: string }) => id)
    assert.deepEqual(idsBy('transaction_type=deposit'), ['5', '1'])
    assert.deepEqual(idsBy('transaction_type=withdrawal,internal_transfer').length, 2)
    assert.deepEqual(idsBy('transaction_type=internal_transfer'), [])
    assert.deepEqual(idsBy('status=pending,failed'), [rfqUuid(4)])
    assert.deepEqual(idsBy('status=completed&transaction_type=withdrawal'), [rfqUuid(1)])
    assert.deepEqual(idsBy('asset=BTC'), [])
    assert.deepEqual(idsBy('asset=BTC,USDC').length, 4)
    for (const filter of ['status=open', 'transaction_type=deposit,', 'cursor=1', 'cursor=a.b']) {
      const { http, code } = ask('/v1/transfers', `wallet=${wallet}&${filter}`)
      assert.deepEqual([http, code], [400, 'invalid_parameter'], filter)
    }
  })
})

test('an ended directive is removed after the stored days, and a rejected one in any case', () => {
  const day = 86_400_000
  const domains = [DomainStatus.Rejected, DomainStatus.Completed, DomainStatus.PendingManualReview]
  const kept = (keepDays: number, days: number): boolean[] => {
    let found: boolean[] = []
    withStore(
      (script) => {
        for (const [number, domain] of domains.entries()) tell(script, { number, domain })
        script.timeMillis += days * day
        tell(script, { number: 9 })
      },
      (ask) => {
        found = domains.map((_, number) => ask(`/v1/directives/${rfqUuid(number)}`).http === 200)
      },
      keepDays,
    )
    return found
  }
  assert.deepEqual(kept(0, 29), [true, true, true])
  assert.deepEqual(kept(0, 31), [false, true, true])
  assert.deepEqual(kept(40, 31), [false, true, true])
  assert.deepEqual(kept(7, 6), [true, true, true])
  assert.deepEqual(kept(7, 8), [false, false, true])
})
