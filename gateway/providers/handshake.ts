import { RateCategory } from '../../schemas/domain.js'
import { AnyCommand, ConnectProviderCommand } from '../../schemas/generated/commands.js'
import { OutcomeFlag } from '../../schemas/record-values.js'
import { Result, resultText } from '../../schemas/results.js'
import { typedDataDigest } from '../../schemas/signing/typed-data-digest.js'
import { typedStructs } from '../actions/typed-structs.js'
import { admit, type SignedRequest } from '../admission/admission.js'
import { writeSigned } from '../commands/write-order.js'
import type { GatewayContext } from '../link/gateway-context.js'
import { Fault } from '../wire/fault.js'
import { badNonce, isJsonObject, type JsonObject, takeWallet } from '../wire/request-fields.js'
import { authReasons } from './provider-messages.js'
import type { ProviderSession } from './provider-session.js'

/** What a handshake says, its wallet and nonce standing in the thread's `Signing`. */
interface Handshake {
  /** Lower-case address. */
  readonly wallet: string
  readonly timestamp: string
  readonly nonce: string | number
  readonly signature: string
}

/** Hears how a handshake ended: the wallet, or the reason of its refusal. */
export interface HandshakeListener {
  onAccepted(wallet: string): void
  onRefused(reason: string): void
}

const bytesMax = 16 * 1024
const timestampPattern = /^\d{1,16}$/
const connect = new ConnectProviderCommand()
const command = new AnyCommand()
const struct = typedStructs.ConnectQuoteProvider

const reasonsOf: Readonly<Partial<Record<Result, string>>> = {
  [Result.SignatureFailed]: authReasons.signature,
  [Result.Unauthorized]: authReasons.signature,
  [Result.NonceUsed]: authReasons.nonce,
  [Result.NoAccount]: authReasons.unknown,
  [Result.UnknownProvider]: authReasons.unknown,
  [Result.ProviderSuspended]: authReasons.suspended,
}

/**
 * Looks at the first frame of a session: signature and signer, then the timestamp; nonce and provider are for the
 * engine to judge.
 * @returns why it is refused here, or null: `listener` will hear of it.
 */
export function askHandshake(
  context: GatewayContext,
  session: ProviderSession,
  data: Buffer,
  listener: HandshakeListener,
): string | null {
  const handshake = readHandshake(context, data)
  if (typeof handshake === 'string') return handshake
  const refused = context.refusesWrites()
  if (refused !== null) return refused.message
  const { signing, port, config } = context
  const { wallet, timestamp, nonce, signature } = handshake
  const message = { wallet, timestamp, nonce }
  signing.digest.set(typedDataDigest(signing.domain, struct, message))
  const request: SignedRequest = {
    ...{ address: session.socket.address, wallet, signature, category: RateCategory.ApiRequest },
    subject: { struct, message },
  }
  // Whoever has no account is no provider, and is refused before the core hears of it.
  const admission = admit(context, request)
  if (admission instanceof Fault) return reasonsOf[admission.result] ?? admission.message
  const skewMillis = Math.abs(context.nowMillis() - Number(timestamp))
  if (skewMillis > config.quotes.connectMaxSkewMillis) return authReasons.timestamp
  const onOutcome: Parameters<typeof port.send>[0]['onOutcome'] = (event) => {
    const { result, flags } = event
    const isRepeat = (flags & OutcomeFlag.Repeat) !== 0
    admission.onDecision(result)
    // What other actions are answered with once more opens no session here.
    if (isRepeat) listener.onRefused(authReasons.nonce)
    else if (result === Result.Accepted) listener.onAccepted(wallet)
    else listener.onRefused(reasonsOf[result] ?? resultText(result, {}))
  }
  const busy = port.send({ onOutcome }, (sink) => {
    if (!connect.claim(sink)) return false
    writeSigned(command.of(connect), signing, signing.wallet, signing.nonce[0]!, signing.nonce[1]!)
    connect.session = session.number
    return true
  })
  return busy === null ? null : busy.message
}

function readHandshake({ signing }: GatewayContext, data: Buffer): Handshake | string {
  const frame = data.length > bytesMax ? null : parse(data)
  const type = frame?.['type']
  if (type === 'gateway_resume_quote_provider') return authReasons.resume
  if (frame === null || type !== 'connect_quote_provider') return authReasons.notConnect
  const { wallet, nonce, signature } = frame
  const timestamp = String(frame['timestamp'])
  if (!timestampPattern.test(timestamp)) return authReasons.timestamp
  const isSigned = typeof wallet === 'string' && typeof signature === 'string'
  // Of what is no address or no nonce nobody can have signed anything.
  const isSound =
    isSigned &&
    takeWallet(wallet, signing.wallet) === null &&
    badNonce(frame, signing.nonce) === null
  if (!isSound) return authReasons.signature
  return { wallet: wallet.toLowerCase(), timestamp, nonce: nonce as string | number, signature }
}

function parse(data: Buffer): JsonObject | null {
  try {
    const value: unknown = JSON.parse(data.toString())
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}
