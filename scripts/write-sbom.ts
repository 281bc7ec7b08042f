import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorOf } from '../engine/threads/error-of.js'
import { type Sbom, stableSbom, withoutDevelopment } from './stable-sbom.js'

// A step of the build: writes the venue's packages as a CycloneDX document, from the lock file alone. It is rewritten only
// if the lock file has changed.

const root = join(import.meta.dirname, '../..')
const target = join(root, 'dist/sbom.json')
const sources = ['package.json', 'package-lock.json'].map((name) => join(root, name))
/** The code that writes the list. A change to it also rewrites the list. */
const maker = join(import.meta.dirname, 'stable-sbom.js')
const hash = createHash('sha256')
for (const path of [...sources, maker]) hash.update(readFileSync(path))
const made = hash.digest('hex')

if (!isMade()) write()

function isMade(): boolean {
  return existsSync(target) && readFileSync(target, 'utf8').includes(made)
}

function write(): void {
  const options = ['--sbom-format=cyclonedx', '--package-lock-only', '--offline']
  try {
    const text = execFileSync('npm', ['sbom', ...options], { cwd: root, encoding: 'utf8' })
    const shipped = withoutDevelopment(JSON.parse(text) as Sbom)
    const sbom = stableSbom(shipped, 'strikebook', made)
    writeFileSync(target, `${JSON.stringify(sbom, null, 2)}\n`)
  } catch (error) {
    // The venue works without the list. An old list would name other packages, so it is removed.
    rmSync(target, { force: true })
    process.stderr.write(`no list of packages (dist/sbom.json): ${errorOf(error).message}\n`)
  }
}
