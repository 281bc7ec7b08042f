import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Package of the lock file that may have native binaries. */
export interface LockedPackage {
  /** Name under which it is installed. */
  readonly name: string
  /** Name in the registry. */
  readonly source: string
  readonly version: string
  readonly integrity: string
}

interface LockRow {
  readonly name?: string
  readonly version: string
  readonly integrity: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** Packages through which a venue loads native code. Most have it in one optional package per platform. */
const nativePackages = ['libsql', 'secp256k1', 'uWebSockets.js']

/** Returns the lock file's rows of the native packages and their optional packages, sorted by name. */
export function lockedPackages(): readonly LockedPackage[] {
  const path = join(import.meta.dirname, '../../package-lock.json')
  const { packages } = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly packages: Readonly<Record<string, LockRow>>
  }
  const rowOf = (name: string) => packages[`node_modules/${name}`]!
  const names = nativePackages.flatMap((name) => [
    name,
    ...Object.keys(rowOf(name).optionalDependencies ?? {}),
  ])
  return [...new Set(names)].sort().map((name) => {
    const { name: source = name, version, integrity } = rowOf(name)
    return { name, source, version, integrity }
  })
}
