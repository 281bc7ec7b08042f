import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, afterEach, test } from 'node:test'
import { environmentName } from '../../../gateway/config/config.js'
import { pinnedPackages } from '../../../gateway/native/generated/pinned-packages.js'
import {
  acceptBinaries,
  acceptedVariable,
  ChangedBinaryError,
  checkBinary,
  loadPinned,
} from '../../../gateway/native/load-pinned.js'
import type { PinnedPackage } from '../../../gateway/native/pinned-package.js'
import { lockedPackages } from '../../../scripts/locked-packages.js'
import { projectPath } from '../../support/project.js'

const folder = mkdtempSync(join(tmpdir(), 'strikebook-binaries-'))
after(() => rmSync(folder, { recursive: true }))
afterEach(() => {
  delete process.env[acceptedVariable]
})

const content = 'not what a linker makes'
const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex')

/** Writes a file of a package that is installed in the temporary folder. */
function install(name: string, file: string, text = content): string {
  const path = join(folder, 'node_modules', name, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

function pinnedAs(name: string, binaries: Readonly<Record<string, string>>): PinnedPackage[] {
  return [{ name, version: '1.2.3', integrity: 'sha512-', binaries }]
}

test('the table matches the lock file; after an upgrade run npm run generate -- binaries', () => {
  const pinned = pinnedPackages.map(({ name, version, integrity }) => ({
    name,
    version,
    integrity,
  }))
  const locked = lockedPackages().map(({ name, version, integrity }) => ({
    name,
    version,
    integrity,
  }))
  assert.deepEqual(pinned, locked)
})

test('every installed binary of these packages is the pinned one', () => {
  const standings = pinnedPackages.flatMap(({ name }) => {
    const path = projectPath(join('node_modules', name))
    if (!existsSync(path)) return [] // of another platform
    const files = readdirSync(path, { recursive: true, encoding: 'utf8' })
    const binaries = files.filter((file) => /^(?!build\/).*\.node$/.test(file))
    return binaries.map((file) => checkBinary(join(path, file)).standing)
  })
  assert.ok(standings.length > 0)
  assert.deepEqual([...new Set(standings)], ['pinned'])
})

test('a binary that is not the pinned one does not run, even if its package could work without it', () => {
  install('secp256k1', 'prebuilds/any/secp256k1.node')
  const text = "try { require('./prebuilds/any/secp256k1.node') } catch { module.exports = 'slow' }"
  const main = install('secp256k1', 'index.js', text)
  assert.equal(createRequire(main)(main), 'slow', 'without the guard it would be the fallback')
  delete createRequire(main).cache[main]
  assert.throws(() => loadPinned(main), {
    name: 'ChangedBinaryError',
    message: /secp256k1\/prebuilds\/any\/secp256k1\.node is not the one .*npm ci.*native\.accepted/,
  })
  assert.equal(process.dlopen.name, 'dlopen', 'it stands guard over its own load alone')
})

test('a binary of the pinned name needs the pinned hash, and is checked again when it has changed', () => {
  const path = install('any-code', 'bin/any.node')
  const rows = pinnedAs('any-code', { 'bin/any.node': sha256Of(content) })
  assert.equal(checkBinary(path, rows).standing, 'pinned')
  appendFileSync(path, '!')
  assert.throws(() => checkBinary(path, rows), /version 1\.2\.3 has [0-9a-f]{64}/)
})

test('unpinned binaries fail: other files of the package, other packages, files of none', () => {
  const rows = pinnedAs('any-code', { 'bin/any.node': sha256Of(content) })
  assert.throws(() => checkBinary(install('any-code', 'bin/else.node'), rows), ChangedBinaryError)
  assert.throws(() => checkBinary(install('@any/else', 'bin/any.node'), rows), ChangedBinaryError)
  const alone = join(folder, 'any.node')
  writeFileSync(alone, content)
  assert.throws(() => checkBinary(alone, rows), /no package that binaries are pinned of/)
})

test('a locally compiled binary counts as unpinned if the package has none for the platform, otherwise as changed', () => {
  const path = install('compiled', 'build/Release/any.node')
  const own = `prebuilds/${process.platform}-${process.arch}/any.node`
  const other = pinnedAs('compiled', { 'prebuilds/plan9-mips/any.node': sha256Of('') })
  assert.equal(checkBinary(path, other).standing, 'unpinned')
  const brought = pinnedAs('compiled', { [own]: sha256Of('') })
  assert.throws(() => checkBinary(path, brought), /compiled here, though/)
})

test('a hash that the operator has listed is accepted, and no other', () => {
  const path = install('own-build', 'build/Release/own.node')
  acceptBinaries([sha256Of('another'), sha256Of(content)])
  assert.equal(checkBinary(path, []).standing, 'accepted')
  assert.throws(() => checkBinary(install('own-build', 'b.node', '?'), []), ChangedBinaryError)
  assert.equal(acceptedVariable, environmentName('native.accepted'))
})

test('the JavaScript curve library is not loaded together with the native one', () => {
  try {
    loadPinned('secp256k1/bindings.js')
  } catch (error) {
    assert.ok(!(error instanceof ChangedBinaryError))
    return // no binary for this platform
  }
  const files = Object.keys(createRequire(import.meta.url).cache)
  assert.ok(files.some((file) => file.includes('/secp256k1/')))
  assert.deepEqual(
    files.filter((file) => file.includes('/elliptic/')),
    [],
  )
})
