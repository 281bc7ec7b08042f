import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pinnedPackages } from '../gateway/native/generated/pinned-packages.js'
import type { PinnedPackage } from '../gateway/native/pinned-package.js'
import { type LockedPackage, lockedPackages } from './locked-packages.js'

// Pins the native binaries of all platforms anew, after a dependency that has some was exchanged. Each archive is
// fetched by npm and held against the lock file; a package that has not changed is not fetched.

const target = 'gateway/native/generated/pinned-packages.ts'
const root = join(import.meta.dirname, '../..')

const folder = mkdtempSync(join(tmpdir(), 'strikebook-binaries-'))
try {
  const rows = lockedPackages().map(pin)
  writeFileSync(join(root, target), tableText(rows))
  execFileSync('npx', ['biome', 'check', '--write', target], { cwd: root, stdio: 'inherit' })
  const count = rows.reduce((sum, { binaries }) => sum + Object.keys(binaries).length, 0)
  process.stdout.write(`${target}: ${count} binaries of ${rows.length} packages\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function pin(locked: LockedPackage): PinnedPackage {
  const { name, version, integrity } = locked
  const known = pinnedPackages.find((row) => row.name === name)
  if (known?.integrity === integrity) return known
  return { name, version, integrity, binaries: binariesOf(locked) }
}

function binariesOf({ source, version, integrity }: LockedPackage): Record<string, string> {
  const pack = ['pack', `${source}@${version}`, '--json', '--pack-destination', folder]
  const [archive] = JSON.parse(execFileSync('npm', pack, { encoding: 'utf8' }))
  const path = join(folder, archive.filename)
  const [algorithm = '', digest] = splitOnce(integrity, '-')
  const found = createHash(algorithm).update(readFileSync(path)).digest('base64')
  if (found !== digest) throw new Error(`${source}@${version} is not what the lock file has`)
  const unpacked = join(folder, 'unpacked')
  mkdirSync(unpacked)
  execFileSync('tar', ['-xzf', path, '-C', unpacked])
  const content = join(unpacked, 'package')
  const files = readdirSync(content, { recursive: true, encoding: 'utf8' }).sort()
  const binaries = files.filter((file) => file.endsWith('.node'))
  const hashOf = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(content, file)))
      .digest('hex')
  const rows = binaries.map((file) => [file, hashOf(file)] as const)
  rmSync(unpacked, { recursive: true })
  rmSync(path)
  return Object.fromEntries(rows)
}

function splitOnce(text: string, at: string): readonly string[] {
  const index = text.indexOf(at)
  return [text.slice(0, index), text.slice(index + 1)]
}

function tableText(rows: readonly PinnedPackage[]): string {
  return [
    '// Made by npm run generate -- binaries.',
    "import type { PinnedPackage } from '../pinned-package.js'",
    '',
    '/** Every native binary that a venue may load, of all platforms. */',
    `export const pinnedPackages: readonly PinnedPackage[] = ${JSON.stringify(rows, null, 2)}`,
    '',
  ].join('\n')
}
