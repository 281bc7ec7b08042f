import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { makeDirectory } from './node-files.js'

// The lock of a process is a listening Unix socket in the directory, with a name that is used only once. The kernel
// knows whether its owner lives: it accepts connections for a busy or stopped process, and refuses them once the
// process is gone for any reason. A file with a process id cannot tell, because ids are reused and mean nothing to
// another container on the same volume.
//
// To acquire the lock, a process first listens, then checks every other lock in the directory. A live one is a
// conflict. If two processes start together, the one that checks last finds the other listening. So both never
// continue, although both may give up. Sockets that refuse connections are stale and are removed. No name is used
// twice, so the removal never hits a new owner.
//
// Someone may delete the files while their owner lives. There is therefore a second lock without a file: a socket in
// the kernel's abstract namespace, named by the directory's device and inode. It does not reach beyond a container, as
// the files do, so a process must hold both.
const replyMillisMax = 2000
const lockPattern = /^lock-(\d+)-[0-9a-f]{16}\.sock$/

export interface DataLock {
  /** Publishes a text to each process that connects to the lock from now on: see `queryHolder`. */
  publish(text: string): void
  /** Releases the lock. A killed process needs no release. */
  release(): Promise<void>
}

export class DataLockHeld extends Error {
  /** Process id of the holder in its own namespace; -1 if unknown. */
  readonly processId: number

  constructor(directory: string, processId: number) {
    const holder = processId < 0 ? 'of unknown id, whose lock file is gone' : processId
    super(`data directory ${directory} is in use by process ${holder}`)
    this.name = 'DataLockHeld'
    this.processId = processId
  }
}

/**
 * Locks `directory` against every other process; creates it if it is missing. Needs a local file system: on a network
 * share, sockets do not lock out other machines.
 * @throws DataLockHeld if a live process has the lock; Error with the folder and the remedy if it cannot be locked.
 */
export async function lockDataDirectory(directory: string): Promise<DataLock> {
  const directoryFd = openFolder(directory)
  const base = directoryFd < 0 ? directory : `/proc/self/fd/${directoryFd}`
  const ownName = `lock-${process.pid}-${randomBytes(8).toString('hex')}.sock`
  let publishedText = ''
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.end(publishedText, () => socket.destroy())
  })
  const abstractServer = createServer((socket) => socket.destroy())
  const release = async () => {
    await closeServer(server)
    await closeServer(abstractServer)
    rmSync(join(directory, ownName), { force: true })
    if (directoryFd >= 0) closeSync(directoryFd)
  }
  try {
    await listen(server, join(base, ownName)).catch((error) => {
      throw folderFault(directory, error, 'listen')
    })
    const holder = await findHolder(directory, base, ownName)
    if (holder >= 0) throw new DataLockHeld(directory, holder)
    // A process that checked between our bind and our listen took our lock for a stale one. It lives until it has
    // removed our file, so we either met it above or miss the file here.
    if (!existsSync(join(directory, ownName))) {
      throw new Error(`data directory ${directory}: another process is starting on it`)
    }
    if (process.platform === 'linux') await holdDirectory(abstractServer, directory)
  } catch (error) {
    await release()
    throw error
  }
  server.unref()
  abstractServer.unref()
  const publish = (text: string) => {
    publishedText = text
  }
  return { publish, release }
}

/**
 * Returns the text that the process with the lock of a directory publishes: '' before it publishes one, or if it does
 * not answer; null if no running process has the lock.
 */
export async function queryHolder(directory: string): Promise<string | null> {
  const directoryFd = openReadable(directory)
  const base = directoryFd < 0 ? directory : `/proc/self/fd/${directoryFd}`
  try {
    for (const name of readdirSync(directory).filter(isLockName)) {
      const text = await publishedAt(join(base, name))
      if (text !== null) return text
    }
    return null
  } finally {
    if (directoryFd >= 0) closeSync(directoryFd)
  }
}

function publishedAt(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(path)
    socket.setEncoding('utf8')
    socket.setTimeout(replyMillisMax, () => socket.destroy())
    socket.on('data', (part) => {
      text += part
    })
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(isGone(error) ? null : ''))
    socket.once('close', () => resolve(text))
  })
}

/** Creates the folder if it is missing. @returns its descriptor on Linux, else -1. */
function openFolder(directory: string): number {
  try {
    makeDirectory(directory)
    return openReadable(directory)
  } catch (error) {
    throw folderFault(directory, error as NodeJS.ErrnoException, 'open')
  }
}

/** Opens a directory on Linux. Socket addresses are limited to 107 bytes; any path fits through a descriptor. */
function openReadable(directory: string): number {
  return process.platform === 'linux' ? openSync(directory, 'r') : -1
}

/**
 * Returns an error that names the folder, the reason and the remedy. @param operation `listen` is that of the socket.
 */
export function folderFault(
  directory: string,
  { code = '', message }: NodeJS.ErrnoException,
  operation: 'open' | 'listen',
): Error {
  const found = folderFaults.find(({ codes }) => codes.includes(code))
  const { why, remedy } = found ?? (operation === 'listen' ? withoutSockets : unknownFault)
  const reason = why === '' ? message : `${why} (${code})`
  return new Error(`data directory ${directory}: ${reason}; ${remedy} with --data-dir`)
}

/** Reasons unrelated to sockets. */
const folderFaults = [
  {
    codes: ['EACCES'],
    why: `user ${process.getuid?.() ?? process.env['USERNAME']} may not write there`,
    remedy: 'make this user its owner, or name another folder',
  },
  {
    codes: ['EROFS'],
    why: 'its file system is read-only',
    remedy: 'mount it writable, or name another folder',
  },
  {
    codes: ['ENOSPC', 'EDQUOT'],
    why: 'its file system is full',
    remedy: 'make room, or name another folder',
  },
  { codes: ['EEXIST', 'ENOTDIR'], why: 'the path leads through a file', remedy: 'name a folder' },
]

// FAT, exFAT and 9p, network shares, and folders that a virtual machine shares with its host. Their errors differ: EPERM,
// ENOSYS, EOPNOTSUPP and EIO were seen.
const withoutSockets = {
  why: 'its file system holds no Unix sockets, which its lock needs',
  remedy: 'name a folder on a local file system (ext4, xfs, btrfs, tmpfs)',
}
const unknownFault = { why: '', remedy: 'name another folder' }

/** Returns true if a file of a directory is the lock of a process, live or dead. */
export function isLockName(name: string): boolean {
  return lockPattern.test(name)
}

/**
 * Takes the lock without a file. @throws DataLockHeld if a live process of this machine has it, even if its lock file
 * is gone.
 */
async function holdDirectory(server: Server, directory: string): Promise<void> {
  const { dev, ino } = statSync(directory, { bigint: true })
  try {
    await listen(server, `\0strikebook-${dev}-${ino}`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new DataLockHeld(directory, -1)
  }
}

async function findHolder(directory: string, base: string, ownName: string): Promise<number> {
  for (const name of readdirSync(directory)) {
    const match = lockPattern.exec(name)
    if (match === null || name === ownName) continue
    if (await isLive(join(base, name))) return Number(match[1])
    rmSync(join(directory, name), { force: true })
  }
  return -1
}

/** Returns true if an error proves that no process has the lock: a refused connection, or a name that is gone. */
function isGone({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNREFUSED' || code === 'ENOENT'
}

function isLive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      resolve(!isGone(error))
    })
  })
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
  })
}
