import { after, before, beforeEach } from 'node:test'
import type { typedStructs } from '../../gateway/actions/typed-structs.js'
import type { Signer } from '../../gateway/client/signer.js'
import type { TypedMessage } from '../../schemas/signing/typed-data-digest.js'
import type { FakeCore } from './fake-core.js'
import { type GatewayRig, signedBody, startRig } from './gateway-rig.js'

/** Answer with its parsed body, whose fields tests check. */
export interface WriteAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the wire has no types
  readonly value: any
}

/** Signed write of the account, sent to the test file's gateway in front of a core that accepts everything. */
export interface AccountWriteRig {
  readonly core: FakeCore
  /** Signs the message and sends the body with the signature. */
  write(message: TypedMessage, body: object, signer: Signer): Promise<WriteAnswer>
  /** Sends a body unchanged. */
  send(body: object): Promise<WriteAnswer>
}

/**
 * Creates the rig of a test file; call it once. It starts before the tests, resets between them and stops after them.
 */
export function accountWriteRig(
  path: string,
  struct: keyof typeof typedStructs,
  values: Readonly<Record<string, string>> = {},
): AccountWriteRig {
  let rig: GatewayRig
  before(async () => {
    rig = await startRig(values)
  })
  beforeEach(() => {
    rig.core.decide = () => ({})
    rig.core.seen.length = 0
  })
  after(() => rig.stop())
  const send = async (body: object): Promise<WriteAnswer> => {
    const response = await rig.request('POST', path, body)
    return { status: response.status, value: JSON.parse(await response.text()) }
  }
  return {
    get core() {
      return rig.core
    },
    write: (message, body, signer) => send(signedBody(struct, message, { ...body }, signer)),
    send,
  }
}
