import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package of the lock file that may have native binaries. */
export interface LockedPackage {
  /** As it is installed. */
  readonly name: string
  /** As the registry knows it. */
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

/** Packages through which a venue loads native code; most have it in optional packages, one a platform. */
const nativePackages = ['libsql', 'secp256k1', 'uWebSockets.js']

/** What the lock file says of the packages through which a venue loads native code. */
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
