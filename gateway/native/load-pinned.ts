import { createHash } from 'node:crypto'
import { type BigIntStats, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'
import { pinnedPackages } from './generated/pinned-packages.js'

/**
 * Reasons why a binary was loaded: `pinned` is in the table; `accepted` has a hash that the operator named; `unpinned`
 * was compiled on this machine, for a platform without a prebuilt binary.
 */
export const binaryStandings = ['pinned', 'accepted', 'unpinned'] as const
export type BinaryStanding = (typeof binaryStandings)[number]

/** Native binary that this thread has loaded. */
export interface LoadedBinary {
  readonly name: string
  readonly file: string
  readonly sha256: string
  readonly standing: BinaryStanding
}

/**
 * Environment variable with the hashes that the operator named, separated by commas. Threads and processes inherit it.
 */
export const acceptedVariable = 'STRIKEBOOK_NATIVE_ACCEPTED'

/** Error for a binary that differs from the pinned one. None of its code has run. */
export class ChangedBinaryError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ChangedBinaryError'
  }
}

/** Hashes by file, so that later threads need not hash again. `seen` changes whenever the file does. */
type HashNotes = Readonly<Record<string, { readonly seen: string; readonly sha256: string }>>
const notesKey = 'strikebook.binaries'

const require = createRequire(import.meta.url)
const loaded = new Map<string, LoadedBinary>()

/**
 * Loads a package that has native binaries. Every binary that it loads, from any folder, must be pinned, or it does not
 * run.
 * @param request name of the package, or path of a binary.
 * @throws ChangedBinaryError even if the package can work without its binary: a changed binary must raise an alarm, not
 * be replaced by a fallback.
 */
export function loadPinned<Module>(request: string): Module {
  const load = process.dlopen
  let fault: ChangedBinaryError | null = null
  process.dlopen = (module, path, ...flags) => {
    try {
      const binary = checkBinary(path)
      load.call(process, module, path, ...flags)
      loaded.set(path, binary)
    } catch (error) {
      if (error instanceof ChangedBinaryError) fault ??= error
      throw error
    }
  }
  try {
    return require(request) as Module
  } finally {
    process.dlopen = load
    // biome-ignore lint/correctness/noUnsafeFinally: this error takes precedence over that of the package
    if (fault !== null) throw fault
  }
}

/** Returns the binaries that this thread has loaded so far. */
export function loadedBinaries(): readonly LoadedBinary[] {
  return [...loaded.values()]
}

/** Accepts binaries with these hashes, in this thread and in threads and processes that it starts later. */
export function acceptBinaries(hashes: readonly string[]): void {
  if (hashes.length > 0) process.env[acceptedVariable] = hashes.join(',')
}

/** Returns the environment variables that another process of the venue needs to load the same binaries. */
export function acceptedEnvironment(): Readonly<Record<string, string>> {
  const hashes = process.env[acceptedVariable]
  return hashes === undefined ? {} : { [acceptedVariable]: hashes }
}

/**
 * Compares a binary with the table.
 * @throws ChangedBinaryError if it must not be loaded.
 */
export function checkBinary(path: string, packages = pinnedPackages): LoadedBinary {
  const { name, file } = packageOf(path)
  const sha256 = hashOf(path)
  const binary = { name, file, sha256 }
  const pinned = packages.find((row) => row.name === name)
  if (pinned?.binaries[file] === sha256) return { ...binary, standing: 'pinned' }
  if (isAccepted(sha256)) return { ...binary, standing: 'accepted' }
  if (pinned === undefined) throw changed(binary, 'no package that binaries are pinned of')
  const expected = pinned.binaries[file]
  if (expected !== undefined) {
    throw changed(binary, `that of version ${pinned.version} has ${expected}`)
  }
  if (!file.startsWith('build/')) {
    throw changed(binary, `version ${pinned.version} has no such file`)
  }
  if (isBuiltFor(Object.keys(pinned.binaries))) {
    throw changed(binary, 'it was compiled here, though the package brings one for this platform')
  }
  return { ...binary, standing: 'unpinned' }
}

function changed({ name, file, sha256 }: Omit<LoadedBinary, 'standing'>, why: string) {
  return new ChangedBinaryError(
    `native binary ${name}/${file} is not the one that was pinned: ` +
      `its SHA-256 is ${sha256}; ${why}. Install it anew (npm ci), or, if it is yours, ` +
      `name that hash in native.accepted (${acceptedVariable})`,
  )
}

/** Returns the package of a file and its path in the package. The name is '' for a file outside packages. */
function packageOf(path: string): { readonly name: string; readonly file: string } {
  const folder = '/node_modules/'
  const plain = path.replaceAll('\\', '/')
  const at = plain.lastIndexOf(folder)
  if (at < 0) return { name: '', file: plain }
  const parts = plain.slice(at + folder.length).split('/')
  const nameParts = parts[0]!.startsWith('@') ? 2 : 1
  return { name: parts.slice(0, nameParts).join('/'), file: parts.slice(nameParts).join('/') }
}

function isBuiltFor(files: readonly string[]): boolean {
  const platform = `prebuilds/${process.platform}-${process.arch}/`
  return files.some((file) => file.startsWith(platform))
}

function isAccepted(sha256: string): boolean {
  return (process.env[acceptedVariable] ?? '').split(',').includes(sha256)
}

function hashOf(path: string): string {
  const seen = versionKeyOf(statSync(path, { bigint: true }))
  const notes = (getEnvironmentData(notesKey) ?? {}) as HashNotes
  const note = notes[path]
  if (note?.seen === seen) return note.sha256
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex')
  setEnvironmentData(notesKey, { ...notes, [path]: { seen, sha256 } } as never)
  return sha256
}

/** Returns a text that changes with every write, because the kernel sets the change time (ctime) itself. */
function versionKeyOf({ dev, ino, size, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, ctimeNs].join(' ')
}
