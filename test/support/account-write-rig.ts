import { after, before, beforeEach } from 'node:test'
import type { typedStructs } from '../../gateway/actions/typed-structs.js'
import type { Signer } from '../../gateway/client/signer.js'
import type { TypedMessage } from '../../schemas/signing/typed-data-digest.js'
import type { FakeCore } from './fake-core.js'
import { type GatewayRig, signedBody, startRig } from './gateway-rig.js'

/** An answer with its parsed body, judged field by field. */
export interface WriteAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the wire has no types
  readonly value: any
}

/** One signed write of the account, over a gateway of the test file before a core that accepts. */
export interface AccountWriteRig {
  readonly core: FakeCore
  /** Signs the message and sends the body with the signature. */
  write(message: TypedMessage, body: object, signer: Signer): Promise<WriteAnswer>
  /** Sends a body as it is. */
  send(body: object): Promise<WriteAnswer>
}

/** To be called once in a test file: starts before its tests, forgets between them, ends behind them. */
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
