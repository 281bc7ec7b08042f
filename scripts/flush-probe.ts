import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import { FlushWatch, kernelCounts } from '../engine/journal/flush-watch.js'
import { threadId } from '../engine/threads/pin-thread.js'

// Writes and flushes a small file next to a venue's journal, as the journal does, with nothing else in the process. A
// flush that is slow at the same time here and in the venue points at the disk or the machine. Slow flushes go to
// standard output as JSON lines with the kernel's counters, like those in the venue's log (`slow flush of the journal`).

const command = new Command('flush-probe')
  .description(
    'Flushes a file repeatedly, and reports slow flushes with the kernel counters of that time.',
  )
  .option('--dir <folder>', 'folder on the disk to probe', './data')
  .option('--seconds <seconds>', 'length of the run', '60')
  .option('--every <millis>', 'time between flushes', '20')
  .option('--slow <millis>', 'duration from which a flush is slow', '100')
  .option('--bytes <bytes>', 'length of each write', '4096')
  .parse()
const options = command.opts<Record<'dir' | 'seconds' | 'every' | 'slow' | 'bytes', string>>()
const [seconds, every, slow, bytes] = [
  Number(options.seconds),
  Number(options.every),
  Number(options.slow),
  Number(options.bytes),
]
const areNumbers = [seconds, every, slow, bytes].every((value) => value > 0)
if (!areNumbers)
  command.error('seconds, every, slow and bytes are numbers above 0', { exitCode: 2 })

/** Length of the file. Writes wrap around, so that it never grows. */
const fileBytes = 1 << 20
const file = join(options.dir, `flush-probe-${process.pid}`)
const fd = openSync(file, 'w')
const block = Buffer.alloc(bytes, 1)
const took: number[] = []
const watch = new FlushWatch(
  slow,
  kernelCounts(threadId(), options.dir),
  () => performance.now(),
  (flush) => process.stdout.write(`${JSON.stringify({ at: new Date(), ...flush })}\n`),
  0, // no command waits for this flush
)
try {
  for (let at = 0; at < fileBytes; at += bytes) writeSync(fd, block, 0, bytes, at)
  fdatasyncSync(fd)
  const end = performance.now() + seconds * 1000
  for (let at = 0; performance.now() < end; at = (at + bytes) % (fileBytes - bytes)) {
    watch.sample()
    const begin = performance.now()
    writeSync(fd, block, 0, bytes, at)
    const written = performance.now()
    fdatasyncSync(fd)
    const flushed = performance.now()
    took.push(flushed - begin)
    watch.take(written - begin, flushed - written)
    await sleep(every)
  }
} finally {
  closeSync(fd)
  rmSync(file)
}
took.sort((one, other) => one - other)
const share = (of: number) => took[Math.min(took.length - 1, Math.floor(took.length * of))]
const millis = { p50: share(0.5), p99: share(0.99), p999: share(0.999), max: took.at(-1) }
process.stdout.write(`${JSON.stringify({ flushes: took.length, millis })}\n`)
