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

/** Parsed handshake. Its wallet and nonce are in the thread's `Signing`. */
interface Handshake {
  /** Lower-case address. */
  readonly wallet: string
  readonly timestamp: string
  readonly nonce: string | number
  readonly signature: string
}

/** Receives the result of a handshake: the wallet, or the reason of its failure. */
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
 * Checks the first frame of a session: signature, signer and timestamp. The engine checks nonce and provider.
 * @returns Why it fails immediately, or null: `listener` will get the result.
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
  // A wallet without an account is not a provider, and fails before the core is involved.
  const admission = admit(context, request)
  if (admission instanceof Fault) return reasonsOf[admission.result] ?? admission.message
  const skewMillis = Math.abs(context.nowMillis() - Number(timestamp))
  if (skewMillis > config.quotes.connectMaxSkewMillis) return authReasons.timestamp
  const onOutcome: Parameters<typeof port.send>[0]['onOutcome'] = (event) => {
    const { result, flags } = event
    const isRepeat = (flags & OutcomeFlag.Repeat) !== 0
    admission.onDecision(result)
    // A duplicate, which for other actions repeats the first answer, opens no session.
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
  // An invalid address or nonce cannot have been signed.
  const isValid =
    isSigned &&
    takeWallet(wallet, signing.wallet) === null &&
    badNonce(frame, signing.nonce) === null
  if (!isValid) return authReasons.signature
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
