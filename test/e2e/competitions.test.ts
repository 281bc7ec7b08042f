import assert from 'node:assert/strict'
import { cpSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { longTest } from '../support/long-test.js'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { symbolOf, type WalletKey } from './support/signed-body.js'
import { streamPeers } from './support/stream-peer.js'
import { assertError, eventually, Venue, type Wire } from './support/venue.js'

const venue = new Venue()
const symbol = symbolOf('BTC', 100_000)
const { fundedWallet, place } = orderActions(venue, symbol)
const hour = 3_600_000
const open = streamPeers(venue)
const terms = { name: 'Spring', win_conditions: ['pnl', 'volume'] }

before(async () => {
  await venue.start()
  await listMarket(venue, [symbol])
})
after(() => venue.dispose())

async function trade(buyer: WalletKey, seller: WalletKey, price: number): Promise<void> {
  const priced = { price: String(price), size: '1', route: 'book_only' }
  await place(seller, { side: 'Sell', ...priced })
  const taken = await place(buyer, { side: 'Buy', ...priced })
  assert.equal(taken.status, 'FILLED', JSON.stringify(taken))
}

/** Returns the leaderboard without its sequence, once it is readable. */
async function board(query: string): Promise<Wire> {
  await eventually(
    'standings',
    async () => (await venue.get(`/leaderboard?${query}`)).status === 200,
  )
  const { as_of_seq: _, ...rest } = await venue.read(`/leaderboard?${query}`)
  return rest
}

const shown = ({ data }: Wire, ...keys: string[]): Wire =>
  data.map((row: Wire) => keys.map((key) => row[key]))

async function markOf(): Promise<number> {
  const { result } = await venue.read(`/orderbook?instrument_id=${symbol}`)
  return Math.round(result.mark_price)
}

test('before any competition the leaderboard has no rows', async () => {
  const { wallet } = await fundedWallet(null)
  const leaders = await board(`wallet=${wallet}`)
  const username = `${wallet.slice(0, 6)}...${wallet.slice(-4)}`
  const nothing = { rank: null, pnl: null, volume: null, efficiency: null, medal: null }
  assert.deepEqual(leaders, {
    success: true,
    data: [],
    pagination: { limit: 50, offset: 0, count: 0 },
    competition_id: null,
    sort_by: 'pnl',
    sort_order: 'desc',
    connected_user: { wallet, username, ...nothing },
  })
  const { data } = await venue.read(`/competition-metric-ranks?wallet=${wallet}`)
  assert.deepEqual(data, {
    ...{ competition_id: null, wallet, participants: 0 },
    ranks: {
      pnl: { rank: null, value: '0' },
      volume: { rank: null, value: '0' },
      efficiency: { rank: null, value: '0' },
    },
  })
  assertError(await venue.get(`/competition/account?wallet=${wallet}`), 404, 'not_found')
})

/** Ends a competition shortly; retries if the end is in the past when the engine reads it. */
async function endSoon(named: object): Promise<Wire> {
  for (;;) {
    const body = { ...named, end_ts_ms: Date.now() + 500 }
    const answer = await venue.operator('POST', '/competitions', body)
    if (answer.status === 200) return answer.body
    assertError(answer, 400, 'invalid_field')
  }
}

test('the venue explains errors in a competition and in queries about one', async () => {
  const now = Date.now()
  const sound = { ...terms, start_ts_ms: now + hour, end_ts_ms: now + 2 * hour }
  const wrong: readonly [object, number, string][] = [
    [{ ...sound, name: '' }, 400, 'invalid_field'],
    [{ ...sound, win_conditions: [] }, 400, 'invalid_field'],
    [{ ...sound, win_conditions: ['pnl', 'pnl'] }, 400, 'invalid_field'],
    [{ ...sound, win_conditions: 'pnl' }, 400, 'invalid_parameter'],
    [{ ...sound, end_ts_ms: sound.start_ts_ms }, 400, 'invalid_field'],
    [{ ...sound, start_ts_ms: 1, end_ts_ms: 2 }, 400, 'invalid_field'],
    [{ ...sound, rules_url: 'ftp://x' }, 400, 'invalid_field'],
    [{ ...sound, prize: 1 }, 400, 'invalid_field'],
    [{ ...sound, id: 77 }, 404, 'not_found'],
  ]
  for (const [body, status, code] of wrong) {
    assertError(await venue.operator('POST', '/competitions', body), status, code)
  }
  assertError(await venue.get('/competitions/1'), 404, 'not_found')
  assertError(await venue.get('/competitions/x'), 404, 'not_found')
  assertError(await venue.get('/leaderboard?competition_id=1'), 404, 'not_found')
  const refused = [
    ...['/competitions?state=over', '/competitions?limit=101', '/leaderboard?sort_by=luck'],
    ...['/leaderboard?sort_order=up', '/leaderboard?offset=-1', '/leaderboard?competition_id=0'],
  ]
  for (const path of refused) assertError(await venue.get(path), 400, 'invalid_parameter')
  assertError(await venue.get('/competition-metric-ranks'), 400, 'missing_field')
  assertError(await venue.get('/leaderboard?wallet=me'), 400, 'invalid_wallet')
})

longTest(
  'a competition runs from its creation to its medals, through a kill and without its store',
  async () => {
    const start = Date.now() + 1500
    const named = { ...terms, start_ts_ms: start, end_ts_ms: start + hour }
    const made = await venue.set('/competitions', { ...named, description: 'ein Frühling' })
    assert.deepEqual([made.id, made.changed], [1, true])
    const again = await venue.set('/competitions', { ...named, description: 'ein Frühling' })
    assert.deepEqual([again.id, again.changed], [1, false])
    const [ann, bob, cid] = [await fundedWallet(), await fundedWallet(), await fundedWallet()]
    const { data: facts } = await venue.read('/competitions/1')
    assert.deepEqual(
      [facts.name, facts.description, facts.rules_url, facts.primary_win_condition],
      ['Spring', 'ein Frühling', null, 'pnl'],
    )
    await eventually('it begins', async () => {
      return (await venue.read('/competitions/1')).data.state === 'active'
    })
    assert.deepEqual((await venue.read('/competitions?state=pre')).data, [])
    const mark = await markOf()
    await trade(ann, bob, mark)
    await trade(cid, ann, mark + 100)
    const query = `wallet=${bob.wallet}`
    const leaders = await board(query)
    const tied = [bob.wallet, cid.wallet].sort()
    assert.deepEqual(shown(leaders, 'rank', 'wallet', 'pnl', 'volume', 'medal'), [
      [1, ann.wallet, '100', '200000', null],
      [2, tied[0], '0', '100000', null],
      [3, tied[1], '0', '100000', null],
    ])
    assert.equal(leaders.data[0].hyperliquid_name, null)
    assert.deepEqual(
      [leaders.connected_user.rank, leaders.connected_user.pnl],
      [tied.indexOf(bob.wallet) + 2, '0'],
    )
    const ascending = await board('sort_by=volume&sort_order=asc&limit=1&offset=2')
    assert.deepEqual(shown(ascending, 'rank', 'wallet'), [[1, ann.wallet]])
    assert.deepEqual((await board('offset=3')).pagination, { limit: 50, offset: 3, count: 0 })
    const { data: ranks } = await venue.read(`/competition-metric-ranks?wallet=${ann.wallet}`)
    assert.deepEqual([ranks.participants, ranks.ranks.volume], [3, { rank: 1, value: '200000' }])
    const used = Number(
      (await venue.read(`/portfolio?wallet=${bob.wallet}`)).data.total_margin_used,
    )
    assert.ok(used > 1000, `${used}`)

    await venue.end('SIGKILL')
    await venue.start()
    assert.deepEqual(await board(query), leaders, 'standings after a kill')
    await venue.end('SIGKILL')
    for (const name of readdirSync(venue.dataDir)) {
      if (name.startsWith('history.db')) rmSync(join(venue.dataDir, name))
    }
    await venue.start()
    assert.deepEqual(await board(query), leaders, 'standings from the journal')

    await trade(bob, cid, mark - 50)
    const before = await board('')
    assert.deepEqual(shown(before, 'wallet', 'pnl').slice(0, 2), [
      [ann.wallet, '100'],
      [bob.wallet, '50'],
    ])
    const early = { ...named, start_ts_ms: start + 1 }
    const kept = await venue.operator('POST', '/competitions', early)
    assertError(kept, 409, 'conflict')
    assert.match(kept.body.message, /the start of a running competition .* final/)
    assert.equal((await endSoon(named)).changed, true)
    await eventually('it ends', async () => {
      return (await venue.read('/competitions/1')).data.state === 'post'
    })
    const last = await board('')
    assert.deepEqual(shown(last, 'wallet', 'medal'), [
      [ann.wallet, 1],
      [bob.wallet, 2],
      [cid.wallet, 3],
    ])
    assertError(await venue.operator('POST', '/competitions', { id: 1, ...named }), 409, 'conflict')
    await trade(ann, bob, mark)
    await venue.end('SIGTERM')
    await venue.start()
    assert.deepEqual(
      await board('competition_id=1'),
      last,
      'an ended competition keeps its standings',
    )
    const { data: account } = await venue.read(`/competition/account?wallet=${ann.wallet}`)
    assert.deepEqual([account.lifetime_realized_pnl, account.competition.medal], ['100', 1])
    const { data: summary } = await venue.read(`/competition/summary?wallet=${ann.wallet}`)
    assert.equal(summary.active_competition, null)
  },
)

test('the stream sends a standing to its wallet alone, from the start to the final one', async () => {
  const [ann, bob] = [await fundedWallet(), await fundedWallet()]
  const [values, places] = [
    await open(`?wallet=${ann.wallet}`),
    await open(`?wallet=${ann.wallet}`),
  ]
  await values.subscribe('competition')
  const first = await values.next('CompetitionPnlSummary')
  assert.deepEqual(
    [first.wallet_address, first.lifetime_realized_pnl, first.active_competition, first.snapshot],
    [ann.wallet, '0', null, true],
  )
  await places.subscribe('competition_engagement')
  const now = Date.now()
  const named = { name: 'Stream', win_conditions: ['pnl'], start_ts_ms: now, end_ts_ms: now + hour }
  const { id } = await venue.set('/competitions', named)
  const begun = await values.next('CompetitionPnlSummary')
  assert.deepEqual(
    [begun.active_competition.competition_id, begun.active_competition.rank],
    [id, null],
  )
  const mark = await markOf()
  await trade(ann, bob, mark)
  const update = await values.next('CompetitionUpdate')
  assert.deepEqual([update.competition_id, update.pnl, update.volume], [id, '0', '100000'])
  await places.next('CompetitionGapUpdate')
  await trade(bob, ann, mark - 100)
  const worse = await values.next((message) => message.pnl === '-100')
  assert.deepEqual([worse.type, worse.rank, worse.timestamp > 0], ['CompetitionUpdate', 2, true])
  if (update.rank === 1) {
    const change = await places.next('CompetitionRankChange')
    assert.deepEqual([change.from_rank, change.to_rank, change.delta_places], [1, 2, -1])
  }
  const gap = await places.next(
    (message) => message.type === 'CompetitionGapUpdate' && message.gap_metric_value === '200',
  )
  assert.deepEqual([gap.rank, gap.next_rank], [2, 1])
  await endSoon({ ...named, id })
  const stats = await values.next('CompetitionFinalStats')
  const standing = await places.next('CompetitionFinalStanding')
  for (const final of [stats, standing]) {
    assert.deepEqual(
      [final.competition_id, final.rank, final.pnl, final.volume, final.medal],
      [id, 2, '-100', '200000', 2],
    )
  }
  assert.equal((await values.next('CompetitionPnlSummary')).active_competition, null)
  const others = [...values.messages, ...places.messages].filter(
    ({ wallet_address: of }) => of !== undefined && of !== ann.wallet,
  )
  assert.deepEqual(others, [])
})

test('each of several concurrent competitions counts the realized PnL of its own span', async () => {
  const [ann, bob] = [await fundedWallet(), await fundedWallet()]
  const realizedIn = async (id: unknown) =>
    venue.get(`/profile/realized-pnl?wallet=${ann.wallet}&competition_id=${id}`)
  const sumOf = async (id: number) =>
    (await realizedIn(id)).body.data.map(({ realized_pnl: micros }: Wire) => micros)
  const mark = await markOf()
  await trade(ann, bob, mark)
  await trade(bob, ann, mark + 10)
  const [last] = (await venue.read(`/profile/trades?wallet=${ann.wallet}&limit=1`)).data
  const terms = (name: string, start: number, end: number) => {
    const span = { start_ts_ms: start, end_ts_ms: end }
    return venue.set('/competitions', { name, win_conditions: ['pnl'], ...span })
  }
  const { id: within } = await terms('from the fill', last.timestamp, Date.now() + hour)
  const { id: afterwards } = await terms('after it', last.timestamp + 1, Date.now() + hour)
  const soon = { name: 'over soon', win_conditions: ['pnl'], start_ts_ms: last.timestamp }
  const { id: brief } = await endSoon(soon)
  const { id: later } = await terms('later', Date.now() + hour, Date.now() + 2 * hour)
  assert.deepEqual([await sumOf(within), await sumOf(afterwards)], [['10'], []])
  await eventually('it ends', async () => {
    return (await venue.read(`/competitions/${brief}`)).data.state === 'post'
  })
  await trade(ann, bob, mark)
  await trade(bob, ann, mark + 5)
  const sums = [
    await sumOf(within),
    await sumOf(afterwards),
    await sumOf(brief),
    await sumOf(later),
  ]
  assert.deepEqual(sums, [['15'], ['5'], ['10'], []])
  assertError(await realizedIn(later + 1), 404, 'not_found')
  for (const id of ['0', '-1', '1.5', 'x', '', '9007199254740993', `${within}&from_ts_ms=1`]) {
    assertError(await realizedIn(id), 400, 'invalid_parameter')
  }
})

longTest('after a loss the venue recounts standings from the remaining journal', async () => {
  const [ann, bob] = [await fundedWallet(), await fundedWallet()]
  const now = Date.now()
  const named = { name: 'Loss', win_conditions: ['pnl'], start_ts_ms: now, end_ts_ms: now + hour }
  const { id } = await venue.set('/competitions', named)
  const mark = await markOf()
  await trade(ann, bob, mark)
  await trade(bob, ann, mark + 100)
  const query = `competition_id=${id}`
  const kept = await board(query)
  const ended = await board('competition_id=1')
  assert.deepEqual(shown(kept, 'wallet', 'pnl')[0], [ann.wallet, '100'])
  await venue.end('SIGTERM')
  const journal = join(venue.dataDir, 'journal')
  cpSync(journal, `${journal}.kept`, { recursive: true })

  await venue.start()
  await trade(ann, bob, mark)
  await trade(bob, ann, mark - 300)
  await endSoon({ ...named, id })
  const lost = { ...named, name: 'Lost', start_ts_ms: Date.now() }
  assert.equal((await venue.set('/competitions', lost)).id, id + 1)
  await trade(ann, bob, mark)
  await eventually('it ends', async () => {
    return (await venue.read(`/competitions/${id}`)).data.state === 'post'
  })
  assert.equal((await board(`competition_id=${id + 1}`)).data.length, 2)
  await venue.end('SIGTERM')
  rmSync(journal, { recursive: true })
  renameSync(`${journal}.kept`, journal)

  const accepting = new Venue({ dataDir: venue.dataDir, arguments: ['--accept-loss'] })
  await accepting.start()
  try {
    const standings = (of: number) => accepting.get(`/leaderboard?competition_id=${of}`)
    await eventually('standings', async () => (await standings(id)).status === 200)
    const { as_of_seq: _, ...again } = (await standings(id)).body
    assert.deepEqual(again, kept)
    assert.deepEqual(
      (await standings(1)).body.data,
      ended.data,
      'a competition that had ended keeps its standings',
    )
    assertError(await standings(id + 1), 404, 'not_found')
    await accepting.set('/halts', { scope: 'all', mode: 'open' })
    const actions = orderActions(accepting, symbol)
    const terms = { price: String(mark), size: '1', route: 'book_only' }
    await listMarket(accepting, [symbol])
    await actions.place(ann, { ...terms, side: 'Sell' })
    assert.equal((await actions.place(bob, { ...terms, side: 'Buy' })).status, 'FILLED')
    await accepting.set('/competitions', { ...lost, start_ts_ms: Date.now() })
    const fresh = (await standings(id + 1)).body
    assert.deepEqual(fresh.data, [], 'a new competition of that number starts empty')
    assert.equal(await accepting.end('SIGTERM'), 0)
  } finally {
    await accepting.dispose()
  }
})
