import { createHash } from 'node:crypto'
import { type BigIntStats, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'
import { pinnedPackages } from './generated/pinned-packages.js'

/**
 * How a binary came to be loaded: `pinned` is one of the table, `accepted` one whose hash the operator has named,
 * `unpinned` one that was compiled on this machine, for a platform that the package has none for.
 */
export const binaryStandings = ['pinned', 'accepted', 'unpinned'] as const
export type BinaryStanding = (typeof binaryStandings)[number]

/** A native binary that this thread has loaded. */
export interface LoadedBinary {
  readonly name: string
  readonly file: string
  readonly sha256: string
  readonly standing: BinaryStanding
}

/** Hashes that the operator has named, by commas: threads and processes of the venue inherit it. */
export const acceptedVariable = 'STRIKEBOOK_NATIVE_ACCEPTED'

/** A binary is not the one that was pinned; nothing of it has run. */
export class ChangedBinaryError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ChangedBinaryError'
  }
}

/** What threads begun later need not hash again: hash by file, with what changes whenever the file does. */
type HashNotes = Readonly<Record<string, { readonly seen: string; readonly sha256: string }>>
const notesKey = 'strikebook.binaries'

const require = createRequire(import.meta.url)
const loaded = new Map<string, LoadedBinary>()

/**
 * Loads a package that has native binaries. What it loads on the way, wherever from, has to be pinned, or is not run.
 * @param request name of the package, or path of a binary.
 * @throws ChangedBinaryError even where the package would have gone on without its binary: one that was changed is an
 * alarm, and no reason to do without.
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
    // biome-ignore lint/correctness/noUnsafeFinally: it stands above whatever the package made of it
    if (fault !== null) throw fault
  }
}

/** What this thread has loaded so far. */
export function loadedBinaries(): readonly LoadedBinary[] {
  return [...loaded.values()]
}

/** Has binaries with these hashes loaded, too: by this thread, and by those and the processes that it begins later. */
export function acceptBinaries(hashes: readonly string[]): void {
  if (hashes.length > 0) process.env[acceptedVariable] = hashes.join(',')
}

/** The part of the environment that a process of the venue needs in order to load what this one does. */
export function acceptedEnvironment(): Readonly<Record<string, string>> {
  const hashes = process.env[acceptedVariable]
  return hashes === undefined ? {} : { [acceptedVariable]: hashes }
}

/**
 * Holds a binary against the table.
 * @throws ChangedBinaryError when it may not be loaded.
 */
export function checkBinary(path: string, packages = pinnedPackages): LoadedBinary {
  const { name, file } = placeOf(path)
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

/** Package and file within it; a file that is in no package has none. */
function placeOf(path: string): { readonly name: string; readonly file: string } {
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
  const seen = sightOf(statSync(path, { bigint: true }))
  const notes = (getEnvironmentData(notesKey) ?? {}) as HashNotes
  const note = notes[path]
  if (note?.seen === seen) return note.sha256
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex')
  setEnvironmentData(notesKey, { ...notes, [path]: { seen, sha256 } } as never)
  return sha256
}

/** The kernel sets the time of the last change by itself: nobody writes to a file and leaves it as it was. */
function sightOf({ dev, ino, size, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, ctimeNs].join(' ')
}
