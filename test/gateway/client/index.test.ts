import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { bundleClient, runInPage } from '../../support/browser-client.js'
import { compilerWords, consumerFolder } from '../../support/client-examples.js'
import { longTest } from '../../support/long-test.js'
import { projectRoot } from '../../support/project.js'
import { signingVectors } from '../../support/signing-vectors.js'

const { privateKey, address } = signingVectors.keys['A']!
const ofServer =
  /secp256k1\/|hash-wasm|uWebSockets|libsql|pino|piscina|engine\/threads|gateway\/http/

test('the bundle of a page imports no module of Node and contains none of the server', async () => {
  const { modules, external } = await bundleClient()
  assert.deepEqual(external, [])
  assert.deepEqual(
    modules.filter((name) => ofServer.test(name) && !name.includes('@noble')),
    [],
  )
})

test('a page signs like Node, using only the web platform', async () => {
  const { createSigner, signPlaceOrder } = await import('strikebook/client')
  const domain = { name: 'Strikebook', version: '1', chainId: 31337 }
  const terms = { symbol: 'BTC-20300628-100000-C', side: 'Buy', size: '1', price: '250' } as const
  const signer = createSigner(privateKey)
  const context = { domain, signer, wallet: signer.address }
  const ofNode = signPlaceOrder(context, terms, 7)
  const body = `
    const signer = strikebook.createSigner(privateKey)
    const context = { domain, signer, wallet: signer.address }
    return [typeof process, typeof Buffer, strikebook.signPlaceOrder(context, terms, 7)]`
  const ofPage = await runInPage(await bundleClient(), body, { privateKey, domain, terms })
  assert.deepEqual(ofPage, ['undefined', 'undefined', ofNode])
  assert.equal(signer.address, address)
})

for (const versions of [{ deno: '2.0.0' }, { bun: '1.0.0' }]) {
  test(`the WebSocket of ${Object.keys(versions)} is its own, not that of Node`, async () => {
    const body = `
      const opened = []
      globalThis.WebSocket = class {
        constructor(url) { opened.push(url) }
        addEventListener() {}
        close() {}
      }
      const stream = new strikebook.StreamClient({ url: 'http://127.0.0.1:1' })
      await new Promise((resolve) => setTimeout(resolve))
      stream.close()
      return opened`
    const process = { env: {}, versions: { node: '24.0.0', ...versions } }
    const opened = await runInPage(await bundleClient(), body, { process })
    assert.deepEqual(opened, ['ws://127.0.0.1:1/ws'])
  })
}

test('in Node the package loads no addon', () => {
  const script = `
    const { createSigner } = await import('strikebook/client')
    const loaded = process.report.getReport().sharedObjects.filter((file) => file.endsWith('.node'))
    console.log(JSON.stringify([createSigner('${privateKey}').address, loaded]))`
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: projectRoot,
    encoding: 'utf8',
  })
  assert.equal(child.status, 0, child.stderr)
  assert.deepEqual(JSON.parse(child.stdout), [address, []])
})

test('a project that installs the package has its types, also of accounts and terms', () => {
  const folder = consumerFolder({ 'consumer.ts': consumer }, { noEmit: true })
  try {
    assert.equal(compilerWords(folder), '')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

const consumer = `
import { connectStrikebook, expectAccepted, RateLimitError } from 'strikebook/client'
import type { Account, StreamClient } from 'strikebook/client'

export async function trade(account: Account): Promise<number> {
  const url = 'http://127.0.0.1:8080'
  const client = await connectStrikebook({ url, account, rateLimit: 'wait' })
  const terms = { symbol: 'BTC-20300628-100000-C', size: '1', price: '1' }
  await client.account.setMarginMode({ marginMode: 'portfolio' })
  // @ts-expect-error there is no such mode
  await client.account.setMarginMode({ marginMode: 'sideways' })
  // @ts-expect-error a side is one of two
  await client.placeOrder({ ...terms, side: 'Hold' })
  try {
    const placed = expectAccepted(await client.placeOrder({ ...terms, side: 'Buy' }))
    const orderId: number = placed.order_id
    return orderId
  } catch (error) {
    return error instanceof RateLimitError ? error.retryAfterSeconds : -1
  }
}

export function listen(stream: StreamClient): void {
  stream.on('fills', ({ fill_id, side }): [number, 'Buy' | 'Sell'] => [fill_id, side])
  stream.on('rfq', (told) => (told.type === 'RfqQuotes' ? told.quotes.length : told.status))
  // @ts-expect-error no channel has this name
  stream.on('candles', () => {})
  // @ts-expect-error a trade has no wallet
  stream.on('trades', ({ wallet_address }) => wallet_address)
  stream.listen({ onMessage: (message) => (message.type === 'Trade' ? message.side : null) })
}
`

longTest('npm packs a built, complete package without tests', () => {
  const words = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const { status, stdout, stderr } = spawnSync('npm', words, { cwd: projectRoot, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  const files: { path: string }[] = JSON.parse(stdout)[0].files
  const packed = new Set(files.map(({ path }) => path))
  const entry = 'dist/gateway/client/index'
  for (const path of [
    `${entry}.js`,
    `${entry}.d.ts`,
    'dist/gateway/testing.js',
    'dist/gateway/main.js',
  ])
    assert.ok(packed.has(path), path)
  for (const path of ['scripts/launch.js', 'scripts/build-once.js', 'dist/scripts/strikebook.js'])
    assert.ok(packed.has(path), path)
  const idle = [...packed].filter((path) => /\.test\.|\.tsbuildinfo|(?<!\.d)\.ts$/.test(path))
  assert.deepEqual(idle, [])
})
