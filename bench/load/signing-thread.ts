import { parentPort, workerData } from 'node:worker_threads'
import { createNativeSigner } from '../../gateway/maker/native-signer.js'
import { assert } from '../../schemas/assert.js'
import type { SigningDomain } from '../../schemas/typed-data.js'
import { CommandPlan } from './command-plan.js'
import { plannedBytes, type WireParts } from './wire-command.js'

/** Worker data of a signing thread. */
export interface SigningThreadData extends Omit<WireParts, 'plan' | 'contexts'> {
  readonly count: number
  readonly memory: SharedArrayBuffer
  readonly privateKeys: readonly string[]
  readonly domain: SigningDomain
}

/** Request to sign the commands from `from` up to `to`, exclusive. */
export interface SigningJob {
  readonly from: number
  readonly to: number
}

/** Signed bytes of a job. The bytes of command `from + i` end at `ends[i]`. */
export interface SignedCommands extends SigningJob {
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
}

assert(parentPort !== null, 'signing thread: it is no worker')
const port = parentPort
const data = workerData as SigningThreadData
const { domain, privateKeys } = data
const parts: WireParts = {
  ...data,
  plan: new CommandPlan(data.count, data.memory),
  contexts: privateKeys.map((key) => {
    const signer = createNativeSigner(key)
    return { domain, signer, wallet: signer.address }
  }),
}

port.on('message', ({ from, to }: SigningJob) => {
  const buffers = Array.from({ length: to - from }, (_, i) => plannedBytes(parts, from + i))
  const ends = new Uint32Array(buffers.length)
  let end = 0
  for (const [i, buffer] of buffers.entries()) {
    end += buffer.length
    ends[i] = end
  }
  const bytes = new Uint8Array(end)
  for (const [i, buffer] of buffers.entries()) bytes.set(buffer, i === 0 ? 0 : ends[i - 1])
  const signed: SignedCommands = { from, to, bytes, ends }
  port.postMessage(signed, [bytes.buffer, ends.buffer])
})
