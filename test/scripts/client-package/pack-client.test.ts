import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { bundleClient, runInPage } from '../../support/browser-client.js'
import { compilerWords } from '../../support/client-examples.js'
import { installPackedClient } from '../../support/packed-client.js'
import { readProjectJson } from '../../support/project.js'
import { signingVectors } from '../../support/signing-vectors.js'

const unpackedBytesMax = 1_000_000
const shipped = [
  ...[/^package\.json$/, /^README\.md$/, /^LICENSE$/, /^licenses\/[\w@-]+\.txt$/],
  ...[/^index\.(?:js|cjs|d\.cts)$/, /^types\/(?:gateway\/client|schemas)\/.+\.d\.ts$/],
]
const importPattern = /(?:\bfrom |\bimport |\b(?:import|require)\()["']([^"']+)["']/g
const { privateKey, address } = signingVectors.keys['A']!

const consumer = `
import { connectStrikebook, expectAccepted } from 'strikebook-client'
import type { Account, StreamClient } from 'strikebook-client'

export async function trade(account: Account): Promise<number> {
  const client = await connectStrikebook({ url: 'http://127.0.0.1:8080', account })
  const terms = { symbol: 'BTC-20300628-100000-C', size: '1', price: '1' }
  // @ts-expect-error a side is one of two
  await client.placeOrder({ ...terms, side: 'Hold' })
  return expectAccepted(await client.placeOrder({ ...terms, side: 'Buy' })).order_id
}

export function listen(stream: StreamClient): void {
  stream.on('fills', ({ fill_id, side }): [number, 'Buy' | 'Sell'] => [fill_id, side])
}
`
const strict = { noEmit: true, skipLibCheck: false, lib: ['ES2023'] }
const files = { 'consumer.mts': consumer, 'consumer.cts': consumer }
const { tarball, folder, installed, remove } = await installPackedClient(files, strict)
after(remove)

function textOf(path: string): string {
  return readFileSync(join(installed, path), 'utf8')
}

test('the packed client is small and has no native code, server or test', () => {
  const paths = tarball.files.map(({ path }) => path)
  assert.deepEqual(
    paths.filter((path) => shipped.every((form) => !form.test(path))),
    [],
  )
  assert.ok(tarball.unpackedSize <= unpackedBytesMax, `${tarball.unpackedSize} bytes`)
})

test('it has the version of the venue and depends on noble and ws only', () => {
  const { version, dependencies } = JSON.parse(textOf('package.json'))
  assert.equal(version, readProjectJson<{ version: string }>('package.json').version)
  assert.deepEqual(Object.keys(dependencies), ['@noble/curves', '@noble/hashes', 'ws'])
})

test('it imports its dependencies and nothing else, and reads no environment', () => {
  const scripts = tarball.files.filter(({ path }) => /\.c?[jt]s$/.test(path))
  const imported = scripts.flatMap(({ path }) =>
    [...textOf(path).matchAll(importPattern)].map(([, name]) => name!),
  )
  const packages = new Set(imported.filter((name) => !name.startsWith('.')))
  assert.deepEqual([...packages].sort(), [
    ...['@noble/curves/secp256k1.js', '@noble/hashes/sha2.js', '@noble/hashes/sha3.js'],
    ...['@noble/hashes/utils.js', 'ws'],
  ])
  assert.doesNotMatch(textOf('index.js'), /process\.env/)
})

test('strict programs compile with it, as ES modules, as CommonJS and for bundlers', () => {
  assert.equal(compilerWords(folder), '')
  const path = join(folder, 'tsconfig.json')
  const { compilerOptions } = JSON.parse(readFileSync(path, 'utf8'))
  const forBundler = { ...compilerOptions, module: 'ESNext', moduleResolution: 'bundler' }
  const settings = { compilerOptions: forBundler, files: ['consumer.mts'] }
  writeFileSync(path, JSON.stringify(settings))
  assert.equal(compilerWords(folder), '')
})

test('CommonJS requires it', () => {
  const script = `console.log(require('strikebook-client').createSigner('${privateKey}').address)`
  const words = ['--input-type=commonjs', '-e', script]
  const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' })
  assert.equal(stdout.trim(), address, stderr)
})

test('a page bundles it without a module of Node', async () => {
  const bundle = await bundleClient('strikebook-client', folder)
  assert.deepEqual(bundle.external, [])
  assert.doesNotMatch(bundle.text, /\bnode:/)
  const body = 'return strikebook.createSigner(privateKey).address'
  assert.equal(await runInPage(bundle, body, { privateKey }), address)
})
