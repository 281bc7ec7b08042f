import { archiveFolder } from '../../../engine/journal/snapshot-store.js'
import type { Random } from '../run/random.js'
import type { VirtualDisk } from './virtual-disk.js'
import type { FlushedWrite, VirtualFile } from './virtual-file.js'

/** Faults of the disk itself, in durable bytes. */
export const damageKinds = ['flip', 'lost', 'duplicated', 'misdirected'] as const
export type DamageKind = (typeof damageKinds)[number]

const sectorBytes = 512
/** Most flips hit the latest writes, the difficult part for recovery. */
const nearBytes = 1500

/**
 * Damages a disk that nobody has open.
 * @returns the damage in words, or null when there was nothing to damage
 */
export function damageDisk(disk: VirtualDisk, kind: DamageKind, random: Random): string | null {
  const names = [...disk.names.keys()].filter((name) => !name.startsWith(archiveFolder)).sort()
  const found = names.filter((name) => disk.fileOf(name).cached.length > 0)
  if (found.length === 0) return null
  const name = random.chance(0.5) ? found[found.length - 1] : random.pick(found)
  const isFlip = kind === 'flip'
  return isFlip ? flip(disk, name, random) : misplace(disk, name, found, kind, random)
}

function flip(disk: VirtualDisk, name: string, random: Random): string {
  const { bytes } = disk.fileOf(name).cached
  let end = bytes.length
  while (end > 1 && bytes[end - 1] === 0) end--
  const from = random.chance(0.6) ? Math.max(0, end - nearBytes) : 0
  const at = from + random.below(end - from)
  const bit = random.below(8)
  bytes[at] ^= 1 << bit
  return `bit ${bit} of byte ${at} of ${name} flips`
}

function misplace(
  disk: VirtualDisk,
  name: string,
  others: readonly string[],
  kind: Exclude<DamageKind, 'flip'>,
  random: Random,
): string | null {
  const file = disk.fileOf(name)
  const written = lateWrite(file, random)
  if (written === null) return null
  if (kind !== 'duplicated') file.cached.write(written.offset, written.before)
  if (kind === 'lost') return `the write to byte ${written.offset} of ${name} is lost`
  const target = random.chance(0.7) ? name : random.pick(others)
  const limit = disk.fileOf(target).cached.length
  const near = written.offset + sectorBytes * random.between(-4, 4)
  const at = random.chance(0.5) ? Math.max(0, near) : random.below(limit)
  disk.fileOf(target).cached.write(at, written.bytes)
  const verb = kind === 'duplicated' ? 'stands at' : 'went to'
  return `the write to byte ${written.offset} of ${name} ${verb} byte ${at} of ${target}, too`
}

/** Returns one of the latest flushed writes whose bytes are still in place. */
function lateWrite(file: VirtualFile, random: Random): FlushedWrite | null {
  const { bytes } = file.cached
  const standing = file.flushed.filter(
    (write) =>
      write.offset + write.bytes.length <= bytes.length &&
      write.bytes.every((byte, i) => bytes[write.offset + i] === byte),
  )
  if (standing.length === 0) return null
  return random.chance(0.5) ? standing[standing.length - 1] : random.pick(standing)
}
