import type { FaultPlan } from '../run/fault-plan.js'
import type { Random } from '../run/random.js'
import type { VirtualDisk } from './virtual-disk.js'
import type { FileChange, VirtualFile } from './virtual-file.js'

const sectorBytes = 512

/**
 * Cuts the power: an initial part of the unflushed writes survives. With the fault `reordered` any combination of them
 * does; with `torn` the last survivor does only in part. Flushed data stays.
 */
export function cutPower(disk: VirtualDisk, plan: FaultPlan): void {
  const random = plan.random('power')
  const isReordered = plan.strikes('reordered', 0.8)
  const files = new Set([...disk.names.values(), ...disk.durableNames.values()])
  for (const file of files) {
    const survivors = isReordered
      ? someOf(file.pending, plan)
      : file.pending.slice(0, random.below(file.pending.length + 1))
    const torn = survivors.length > 0 && plan.strikes('torn', 0.5) ? survivors.pop() : undefined
    for (const change of survivors) file.apply(change)
    if (torn?.kind === 'write' && torn.bytes.length > 0) {
      tear(file, torn.offset, torn.bytes, plan.random('torn'))
      plan.count('torn')
    }
  }
  keepSomeNames(disk, random)
  disk.names.clear()
  for (const [path, file] of disk.durableNames) disk.names.set(path, file)
  for (const file of disk.names.values()) file.forgetCache()
}

function someOf(changes: readonly FileChange[], plan: FaultPlan): FileChange[] {
  const random = plan.random('reordered')
  const kept = changes.filter(() => random.chance(0.5))
  const isInOrder = kept.every((change, index) => change === changes[index])
  if (!isInOrder) plan.count('reordered')
  return kept
}

/** Writes an initial part of the write, up to any byte, or some of its sectors. */
function tear(file: VirtualFile, offset: number, bytes: Uint8Array, random: Random): void {
  if (random.chance(0.5)) {
    file.durable.write(offset, bytes.subarray(0, random.below(bytes.length)))
    return
  }
  const end = offset + bytes.length
  let from = offset
  while (from < end) {
    const to = Math.min(end, (Math.floor(from / sectorBytes) + 1) * sectorBytes)
    if (random.chance(0.5)) file.durable.write(from, bytes.subarray(from - offset, to - offset))
    from = to
  }
}

/** Folder entries survive one by one. A rename removes its old name only together with the new one. */
function keepSomeNames(disk: VirtualDisk, random: Random): void {
  const kept = new Set<object>()
  for (const change of disk.pendingNames) {
    const { needs } = change
    // A flush of its folder may already have made the new name of a rename durable.
    const isKept =
      needs === null ? random.chance(0.5) : kept.has(needs) || !disk.pendingNames.includes(needs)
    if (isKept) {
      kept.add(change)
      disk.keepName(change)
    }
  }
  disk.pendingNames = []
}
