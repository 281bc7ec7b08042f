import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { httpNameSource, WalletNames, withWalletNames } from '../../../gateway/http/wallet-names.js'

const minute = 60_000

/** Names whose look-ups end when the test says so. */
function namesOf() {
  const asked: { wallet: string; end: (name: string | null | Error) => Promise<void> }[] = []
  let nowMillis = 0
  const source = {
    nameOf: (wallet: string) =>
      new Promise<string | null>((resolve, reject) => {
        const end = async (name: string | null | Error) => {
          if (name instanceof Error) reject(name)
          else resolve(name)
          await new Promise((done) => setImmediate(done))
        }
        asked.push({ wallet, end })
      }),
  }
  const pass = (millis: number) => {
    nowMillis += millis
  }
  return { names: new WalletNames(source, () => nowMillis), asked, pass }
}

test('a name is in later answers, for ten minutes', async () => {
  const { names, asked, pass } = namesOf()
  assert.equal(names.of('0xa'), null)
  assert.equal(names.of('0xa'), null)
  assert.equal(asked.length, 1, 'it is asked once')
  await asked[0]!.end('Ann')
  assert.equal(names.of('0xa'), 'Ann')
  pass(10 * minute)
  assert.equal(names.of('0xa'), null)
  assert.equal(asked.length, 2)
})

test('a requested name is renewed before it expires, and survives a failure until then', async () => {
  const { names, asked, pass } = namesOf()
  names.of('0xa')
  await asked[0]!.end('Ann')
  pass(8 * minute)
  assert.equal(names.of('0xa'), 'Ann')
  await asked[1]!.end(new Error('gone'))
  assert.equal(names.of('0xa'), 'Ann')
  assert.equal(asked.length, 2, 'not at once after a failure')
  pass(minute)
  assert.equal(names.of('0xa'), 'Ann')
  await asked[2]!.end('Bob')
  assert.equal(names.of('0xa'), 'Bob')
  pass(8 * minute)
  assert.equal(names.of('0xa'), 'Bob')
  await asked[3]!.end(new Error('gone'))
  pass(2 * minute)
  assert.equal(names.of('0xa'), null)
})

test('a text that is displayed as another name is not a name', async () => {
  const { names, asked } = namesOf()
  const hidden = ['nn\u202eA', 'A\u200bnn', 'Ann\u0000', 'A\u2028nn', 'x'.repeat(65), '']
  for (const [wallet, name] of [...hidden, 'Ann Ä'].entries()) {
    names.of(`0x${wallet}`)
    await asked.at(-1)!.end(name)
  }
  const known = hidden.map((_, wallet) => names.of(`0x${wallet}`))
  assert.deepEqual(
    known,
    hidden.map(() => null),
  )
  assert.equal(names.of(`0x${hidden.length}`), 'Ann Ä')
})

test('a failed lookup gives no name, and is repeated after a minute', async () => {
  const { names, asked, pass } = namesOf()
  names.of('0xa')
  await asked[0]!.end(new Error('gone'))
  assert.equal(names.of('0xa'), null)
  assert.equal(asked.length, 1)
  pass(minute)
  names.of('0xa')
  assert.equal(asked.length, 2)
})

test('a source that does not answer gets only a few lookups at a time', () => {
  const { names, asked } = namesOf()
  for (let wallet = 0; wallet < 100; wallet++) names.of(`0x${wallet}`)
  assert.equal(asked.length, 8)
})

test('names come over HTTP, and appear in the rows of a leaderboard', async (context) => {
  const server = createServer((request, response) => {
    if (request.url === '/names/0xb') response.writeHead(404).end()
    else if (request.url === '/names/0xc') response.end(`{"name":"${'x'.repeat(20_000)}"}`)
    else response.end(JSON.stringify({ name: `name of ${request.url}` }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const source = httpNameSource(`http://127.0.0.1:${port}/names/{wallet}`, 30_000)
  assert.equal(await source.nameOf('0xa'), 'name of /names/0xa')
  assert.equal(await source.nameOf('0xb'), null)
  await assert.rejects(source.nameOf('0xc'), /more than/)
  const { names, asked } = namesOf()
  names.of('0xa')
  await asked[0]!.end('Ann')
  const rows = [
    { wallet: '0xa', hyperliquid_name: null },
    { wallet: '0xb', hyperliquid_name: null },
  ]
  const body = withWalletNames(Buffer.from(JSON.stringify({ data: rows, as_of_seq: 7 })), names)
  assert.deepEqual(JSON.parse(Buffer.from(body).toString('utf8')), {
    data: [{ wallet: '0xa', hyperliquid_name: 'Ann' }, rows[1]],
    as_of_seq: 7,
  })
})
