import { existsSync, statfsSync } from 'node:fs'
import { loadavg, totalmem } from 'node:os'
import { resolve } from 'node:path'
import { bareFlushMillis } from '../../bench/bare-flush.js'
import { readDescriptors } from '../../gateway/descriptors.js'
import { fileText, governorOf, type Machine } from '../../gateway/machine/machine.js'
import {
  acceptedVariable,
  ChangedBinaryError,
  loadedBinaries,
} from '../../gateway/native/load-pinned.js'
import { nodeFault } from '../../gateway/start-fault.js'

/** Grade of a check. Only `bad` fails `doctor`. */
export type Standing = 'good' | 'fair' | 'bad'

/** Result of one check of the machine. */
export interface Check {
  readonly name: string
  readonly standing: Standing
  readonly found: string
  /** Recommended action; '' if none is needed. */
  readonly advice: string
}

const coresGood = 4
const filesGood = 65_536
const filesMin = 256
const memoryGood = 2 ** 31
const flushMillisGood = 1
const flushMillisFair = 10
const freeBytesGood = 10 * 2 ** 30
const freeBytesMin = 2 ** 30

/** Checks the machine. @param directory folder of the data; it need not exist yet. */
export async function checkMachine(machine: Machine, directory: string): Promise<readonly Check[]> {
  return [
    cores(machine),
    governor(machine),
    isolation(machine),
    hugePages(),
    clockSource(),
    openFiles(),
    memory(),
    load(machine),
    ...disk(directory),
    node(),
    ...(await nativeCode()),
    bundler(),
  ]
}

function cores({ cores: all }: Machine): Check {
  const isEnough = all.length >= coresGood
  const advice = `use at least ${coresGood}: gateway, core, journal and read model need one each`
  return rated('cores', isEnough ? 'good' : 'fair', `${all.length} available`, advice)
}

function governor({ cores: all }: Machine): Check {
  const names = [...new Set(all.map(governorOf))]
  const known = names.filter((name) => name !== null)
  if (known.length === 0) return rated('governor', 'good', 'not visible: the host controls it', '')
  const isFast = known.every((name) => name === 'performance')
  const advice =
    'cpupower frequency-set -g performance: other governors raise the clock slowly after idle'
  return rated('governor', isFast ? 'good' : 'fair', known.join(', '), advice)
}

function isolation({ isolated }: Machine): Check {
  const isSome = isolated.length > 0
  const found = isSome ? `cores ${isolated.join(', ')}` : 'no isolated cores'
  const advice = 'set isolcpus= and nohz_full= on the kernel command line, then run strikebook pin'
  return rated('isolation', isSome ? 'good' : 'fair', found, advice)
}

function hugePages(): Check {
  const text = fileText('/sys/kernel/mm/transparent_hugepage/enabled')
  const mode = text === null ? 'unknown' : (/\[(\w+)\]/.exec(text)?.[1] ?? text)
  const advice =
    'echo madvise > /sys/kernel/mm/transparent_hugepage/enabled: compaction stalls threads'
  return rated('huge pages', mode === 'always' ? 'fair' : 'good', mode, advice)
}

function clockSource(): Check {
  const folder = '/sys/devices/system/clocksource/clocksource0'
  const source = fileText(`${folder}/current_clocksource`) ?? 'unknown'
  const isFast = ['tsc', 'kvm-clock', 'arch_sys_counter', 'hyperv_clocksource_tsc_page'].includes(
    source,
  )
  const advice = `echo tsc > ${folder}/current_clocksource: other sources cost a system call per read`
  return rated('clock source', isFast || source === 'unknown' ? 'good' : 'fair', source, advice)
}

function openFiles(): Check {
  const descriptors = readDescriptors()
  if (descriptors === null) return rated('open files', 'good', 'the system does not report it', '')
  const { limit } = descriptors
  const standing = limit >= filesGood ? 'good' : limit >= filesMin ? 'fair' : 'bad'
  const advice = `ulimit -n ${filesGood} (LimitNOFILE= of a service): each connection needs one`
  return rated('open files', standing, `limit ${limit}`, advice)
}

function memory(): Check {
  const bytes = totalmem()
  const advice =
    'use at least 2 GiB: a venue starts with about half of one, and grows with wallets and orders'
  return rated('memory', bytes >= memoryGood ? 'good' : 'bad', gibibytes(bytes), advice)
}

function load({ cores: all }: Machine): Check {
  const [minute] = loadavg() as [number, number, number]
  const isIdle = minute < all.length / 2
  const advice = 'stop other work: it takes CPU time from the threads of the venue'
  return rated('load', isIdle ? 'good' : 'fair', `${minute.toFixed(2)} in the last minute`, advice)
}

function disk(directory: string): readonly Check[] {
  const folder = firstThere(resolve(directory))
  const { bavail, bsize, type } = statfsSync(folder)
  const bytes = bavail * bsize
  const standing = bytes >= freeBytesGood ? 'good' : bytes >= freeBytesMin ? 'fair' : 'bad'
  const isNetwork = [0x6969, 0x517b, 0xff534d42].includes(type)
  const kind = isNetwork ? 'a network share' : type === 0x01021994 ? 'memory' : 'a disk'
  const place =
    'use a local disk: a network share lacks reliable locks, and memory is lost at shutdown'
  return [
    rated('data disk', kind === 'a disk' ? 'good' : 'bad', `${folder} is on ${kind}`, place),
    rated(
      'disk space',
      standing,
      `${gibibytes(bytes)} free`,
      'free space, or move journal/archive elsewhere',
    ),
    flushes(folder),
  ]
}

function flushes(folder: string): Check {
  const millis = bareFlushMillis(folder)
  const standing = millis <= flushMillisGood ? 'good' : millis <= flushMillisFair ? 'fair' : 'bad'
  const advice =
    'use a disk with a power-loss-protected cache and no other writer, because every acknowledgement waits for a ' +
    'flush; ' +
    'npm run flush-probe finds the slow layer'
  return rated('flush', standing, `${millis} ms median`, advice)
}

function node(): Check {
  const { node: version } = process.versions
  const fault = nodeFault(version)
  return rated('Node', fault === null ? 'good' : 'bad', fault ?? version, '')
}

/** Loads every native binary, then reports on all of them. Importing a module loads its binary. */
async function nativeCode(): Promise<readonly Check[]> {
  try {
    const checks = [await transport(), await recovery()]
    await import('../../gateway/read-model/history/history-schema.js')
    return [...checks, binaries()]
  } catch (error) {
    if (!(error instanceof ChangedBinaryError)) throw error
    return [
      rated(
        'native binaries',
        'bad',
        error.message,
        'run npm ci; a venue does not start with this binary',
      ),
    ]
  }
}

function binaries(): Check {
  const loaded = loadedBinaries()
  const others = loaded.filter(({ standing }) => standing !== 'pinned')
  const found = loaded.map(({ name, standing }) => `${name} ${standing}`).join(', ')
  const advice = others.map(
    ({ name, file, sha256, standing }) => `${name}/${file} is ${standing}: SHA-256 ${sha256}`,
  )
  const instead = `npm ci installs the pinned ones; ${acceptedVariable} accepts your own`
  return rated(
    'native binaries',
    others.length === 0 ? 'good' : 'fair',
    found === '' ? 'none' : found,
    [...advice, instead].join('; '),
  )
}

async function transport(): Promise<Check> {
  const { loadTransports } = await import('../../gateway/transport/transports.js')
  const { kind, why, limits } = await loadTransports('auto')
  const { platform, arch, versions } = process
  const lacks = limits.length === 0 ? 'no limits' : `limits: ${limits.join('; ')}`
  const found = `${kind} on ${platform} ${arch}, Node ${versions.node}: ${why}; ${lacks}`
  const advice =
    'optional: glibc 2.38 or later (Debian 13, Ubuntu 24.04) with Node 20, 22 or 24 can run the native ' +
    'transport, which ' +
    'uses about 10 % less CPU time'
  return rated('transport', kind === 'native' ? 'good' : 'fair', found, advice)
}

async function recovery(): Promise<Check> {
  const { recoveryPath } = await import('../../gateway/auth/recover-signer.js')
  const { recoveryRatePerSecond } = await import('../../gateway/auth/recovery-rate.js')
  const grade = { native: 'good', wasm: 'fair' } as const
  const found = `${recoveryPath}, ${recoveryRatePerSecond()} per second on one gateway thread`
  const advice =
    'run npm ci on this machine: the native library recovers several times as many signatures per second'
  return rated('signatures', grade[recoveryPath], found, advice)
}

function bundler(): Check {
  const isThere = existsSync(new URL('../../../node_modules/esbuild', import.meta.url))
  const advice = 'run npm ci with optional dependencies: without them a start takes twice as long'
  return rated('bundler', isThere ? 'good' : 'fair', isThere ? 'installed' : 'missing', advice)
}

function rated(name: string, standing: Standing, found: string, advice: string): Check {
  return { name, standing, found, advice: standing === 'good' ? '' : advice }
}

function firstThere(folder: string): string {
  let there = folder
  while (!existsSync(there)) there = resolve(there, '..')
  return there
}

function gibibytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`
}
