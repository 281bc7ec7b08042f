import { CommandType, DepositCommand } from '../../schemas/generated/commands.js'
import { grantIdOf } from '../../schemas/grant-id.js'
import type { Grant } from '../../schemas/interface/money.js'
import { OutcomeFlag } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { addressBytes, formatAddress } from '../../schemas/wallet.js'
import { type AddressKey, addressKeyOf } from '../limits/address-limits.js'
import { RateLimitFault, rateHeaders } from '../limits/rate-limit-fault.js'
import type { OutcomeListener } from '../link/command-port.js'
import type { GatewayContext } from '../link/gateway-context.js'
import { detailedFault, readOutcome } from '../link/outcome.js'
import type { HttpCall } from '../transport/transport.js'
import { BodyFields } from '../wire/body-fields.js'
import { Fault } from '../wire/fault.js'
import { takeWallet } from '../wire/request-fields.js'
import { answerFault, answerJson } from './http-answer.js'
import { readJsonBody } from './json-body.js'

/** Paper money of one grant. */
export const grantUsd = 100_000
const grantMicros = grantUsd * 1e6
const limitName = 'Faucet'
const fields = new BodyFields({ wallet: 'text' })
const deposit = new DepositCommand()

/**
 * Handles POST /faucet: credits a wallet with paper money, without a signature. All gateways together pay a wallet once
 * a minute, and a client address `grantsPerMinute` times; loopback has a higher limit, because one person tries several
 * wallets there. The deposit id contains the minute, so that the engine pays only once after a restart.
 */
export function grantFunds(context: GatewayContext, call: HttpCall): Fault | null {
  const body = readJsonBody(call.body)
  if (body instanceof Fault) return body
  const misshapen = fields.fault(body, context.signing.refusesUnknownFields)
  if (misshapen !== null) return misshapen
  const bytes = new Uint8Array(addressBytes)
  const invalid = takeWallet(body['wallet'] as string, bytes)
  if (invalid !== null) return invalid
  const { limits, names, port, nowMillis, config } = context
  const { accountsMax } = config.faucet
  const wallet = formatAddress(bytes, 0)
  const { directory } = limits
  if (!directory.hasAccount(wallet) && directory.accountCount >= accountsMax) {
    return new Fault(Result.LimitExceeded, {}, 'The faucet cannot open any more accounts')
  }
  const client = addressKeyOf(call.address)
  const takenMillis = nowMillis()
  const verdict = limits.takeGrant(client, wallet, grantsOf(client, config), takenMillis)
  if (!verdict.isAllowed) return new RateLimitFault(limitName, verdict)
  const refuse = (fault: Fault) => {
    limits.refundGrant(client, wallet, takenMillis)
    answerFault(call, fault)
  }
  const onOutcome: OutcomeListener['onOutcome'] = (event) => {
    const outcome = readOutcome(event, names)
    const { result, seq } = outcome
    if (result !== Result.Accepted) refuse(detailedFault(outcome) ?? new Fault(result))
    else if ((event.flags & OutcomeFlag.Repeat) === 0) {
      const answer: Grant = { wallet, amount: String(grantUsd), seq }
      answerJson(call, 200, JSON.stringify(answer), rateHeaders(verdict))
    } else {
      // Paid in this minute before a restart, or before its slot of the window was evicted.
      verdict.isAllowed = false
      answerFault(call, new RateLimitFault(limitName, verdict))
    }
  }
  const busy = port.send({ onOutcome }, (sink) => {
    if (!deposit.claim(sink, CommandType.Deposit)) return false
    deposit.u8.set(bytes, deposit.walletAt)
    deposit.amountMicros = grantMicros
    deposit.depositIdText = grantIdOf(wallet, takenMillis)
    return true
  })
  if (busy !== null) refuse(busy)
  return null
}

function grantsOf({ isLoopback }: AddressKey, { faucet }: GatewayContext['config']): number {
  return isLoopback ? faucet.grantsPerMinuteOnLoopback : faucet.grantsPerMinute
}
