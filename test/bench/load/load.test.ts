import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { LoadVenue } from '../../../bench/load-venue.js'
import { RestClient } from '../../../gateway/client/rest-client.js'
import { eventually } from '../../e2e/support/venue.js'
import { longTest } from '../../support/long-test.js'

const mainFile = join(import.meta.dirname, '../../../scripts/strikebook.js')
const venue = new LoadVenue({ arguments: ['--set=takeMemory=false'] })
const folder = mkdtempSync(join(tmpdir(), 'strikebook-load-'))

before(() => venue.start())
after(async () => {
  await venue.dispose()
  rmSync(folder, { recursive: true })
})

interface CommandEnd {
  readonly code: number | null
  readonly output: string
  readonly words: string
}

/** Runs the command as a user does. */
function runLoadCommand(...flags: string[]): Promise<CommandEnd> {
  return endOf(startLoadCommand(...flags))
}

function startLoadCommand(...flags: string[]): ChildProcessWithoutNullStreams {
  const address = [`--url=${venue.url}`, `--operator-url=${venue.operatorUrl}`]
  return spawn(process.execPath, [mainFile, 'load', ...address, ...flags], {
    env: { ...process.env, STRIKEBOOK_OPERATOR_TOKEN: venue.token },
  })
}

function endOf(child: ChildProcessWithoutNullStreams): Promise<CommandEnd> {
  let output = ''
  let words = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    words += chunk
  })
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, output, words }))
  })
}

const small = ['--rate=300', '--duration=1', '--open-orders=60', '--wallets=3', '--seed=5']

for (const transport of ['stream', 'http']) {
  const run = transport === 'http' ? longTest : test
  run(
    `a small load over ${transport} is answered, reconciled and leaves nothing behind`,
    async () => {
      const csv = join(folder, `${transport}.csv`)
      const hgrm = join(folder, transport)
      const files = [`--csv=${csv}`, `--hgrm=${hgrm}`]
      const end = await runLoadCommand(...small, `--transport=${transport}`, '--json', ...files)
      assert.equal(end.code, 0, end.words)
      const report = JSON.parse(end.output)
      assert.equal(report.method, 'open-loop')
      assert.equal(report.isReconciled, true)
      assert.deepEqual(report.unanswered, [])
      assert.ok(report.fills > 0)
      const { place, cancel, replace, take } = report.kinds
      assert.equal(place.sent + cancel.sent + replace.sent + take.sent, 300)
      // An order that is not acknowledged by then is cancelled in the place of its replacement.
      assert.ok(replace.sent + report.replacesTurned > 0)
      for (const kind of [place, cancel, take]) assert.ok(kind.sent > 0)
      for (const kind of [place, cancel, replace, take]) {
        // A venue that was kept from its core for long may have been busy for some.
        assert.equal(kind.executed + (kind.refused.engine_busy ?? 0), kind.sent)
        assert.equal(kind.latency.count, kind.executed)
      }
      assert.ok(report.openOrdersAtEnd > 0, end.words)
      assert.equal(report.options.operatorToken, undefined)
      assert.match(end.words, /\nreconciled\n/)
      assert.match(readFileSync(csv, 'utf8'), /^second,sent,executed,[\s\S]*\n1,\d+,/)
      for (const name of ['all', 'place', 'cancel', 'replace', 'take']) {
        assert.match(readFileSync(join(hgrm, `${name}.hgrm`), 'utf8'), /#\[Mean/)
      }
      const rest = new RestClient({ url: venue.url })
      const { result } = await rest.request<{ result: { bid_price: number; ask_price: number }[] }>(
        'GET',
        '/options-summary',
      )
      assert.ok(result.every((row) => row.bid_price === 0 && row.ask_price === 0))
    },
  )
}

async function latestTrade(): Promise<number> {
  type Trades = { readonly data: readonly { readonly trade_id: number }[] }
  const rest = new RestClient({ url: venue.url })
  const { data } = await rest.request<Trades>('GET', '/trades')
  return Math.max(0, ...data.map(({ trade_id }) => trade_id))
}

test('Ctrl-C ends a load with the report of the sent commands, and leaves nothing open', async () => {
  const csv = join(folder, 'interrupted.csv')
  const long = ['--rate=100', '--duration=600', '--open-orders=20', '--wallets=2', '--json']
  const before = await latestTrade()
  const child = startLoadCommand(...long, `--csv=${csv}`)
  const ended = endOf(child)
  await eventually('orders trade', async () => (await latestTrade()) > before + 20)
  child.kill('SIGINT')
  const { code, output, words } = await ended
  assert.equal(code, 130, words)
  const report = JSON.parse(output)
  assert.deepEqual(
    [report.isInterrupted, report.verdict, report.isReconciled, report.unanswered],
    [true, 'interrupted', true, []],
    words,
  )
  assert.ok(report.latency.count > 0 && report.goodputPerSecond > 0, words)
  assert.match(words, /\ninterrupted: the figures cover the commands sent until then\n/)
  assert.match(readFileSync(csv, 'utf8'), /\n1,\d+,/)
})

longTest(
  'the knee is 0 if no rate stays within its limit, and the report has its steps',
  async () => {
    const csv = join(folder, 'knee.csv')
    const flags = ['--knee', '--rate=1', '--duration=0.5', '--open-orders=0', '--knee-p99=0.001']
    flags.push('--wallets=2', '--instruments=2')
    const end = await runLoadCommand(...flags, '--json', `--csv=${csv}`)
    // No venue answers within a microsecond: the search goes down to its end, and says so.
    assert.equal(end.code, 1, end.words)
    const { ratePerSecond, points } = JSON.parse(end.output)
    assert.equal(ratePerSecond, 0)
    assert.equal(points.length, 2, 'a rate has a second try')
    assert.match(
      readFileSync(csv, 'utf8'),
      /^offered_per_second,goodput_per_second,p99_ms,sent_late_p99_ms\n1,/,
    )
  },
)

test('usage errors end with 2 and a missing venue with 1, both with a sentence', async () => {
  const wrong = await runLoadCommand('--rate=none')
  assert.equal(wrong.code, 2)
  assert.match(wrong.words, /--rate/)
  const absent = await runLoadCommand('--url=http://127.0.0.1:1')
  assert.equal(absent.code, 1)
  assert.match(absent.words, /^strikebook load: GET \/exchange-info: no answer\n$/)
})

test('limits that the plan would reach are named before the run', async () => {
  const rest = new RestClient({ url: venue.operatorUrl, token: venue.token })
  const wallet = '0x0000000000000000000000000000000000000001'
  await rest.request('POST', '/operator/tiers', { body: { wallet, tier: 'tier1' } })
  const { limitProblem } = await import('../../../bench/load/load-wallets.js')
  const publicRest = new RestClient({ url: venue.url })
  const plan = { ordersPerMinute: 1_000_000, openOrders: 1 }
  assert.match((await limitProblem(publicRest, [wallet], plan)) ?? '', /more --wallets/)
  const modest = { ordersPerMinute: 1, openOrders: 1 }
  assert.equal(await limitProblem(publicRest, [wallet], modest), null)
})
