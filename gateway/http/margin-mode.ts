import { marginModeAt, setMarginModeBytes } from '../../schemas/commands.js'
import { marginModeNames } from '../../schemas/domain.js'
import { factsPreviousModeAt, outcomeFactsAt } from '../../schemas/events.js'
import { CommandType } from '../../schemas/generated/commands.js'
import { typedStructs } from '../../schemas/typed-data.js'
import { Fault } from '../fault.js'
import type { GatewayContext } from '../gateway-context.js'
import { Envelope } from '../read-model/answers.js'
import type { HttpCall } from '../transport.js'
import { type AccountRequest, readAccountRequest } from './account-request.js'
import { answerFault } from './http-answer.js'
import { type SignedWrite, sendSignedWrite } from './signed-write.js'

/**
 * POST /margin-mode: which model the wallet's book is judged by. Refused by the engine with 403
 * `margin_mode_unavailable`, and with 409 `conflict` when initial margin would not be met, or while the engine
 * liquidates the wallet.
 */
export function setMarginMode(context: GatewayContext, call: HttpCall): void {
  const request = readAccountRequest(call.body, 'margin_mode', marginModeNames, context.signing)
  if (request instanceof Fault) answerFault(call, request, Envelope.Data)
  else sendSignedWrite(context, call, writeOf(request))
}

function writeOf(request: AccountRequest): SignedWrite {
  const { wallet, name, index, nonce } = request
  return {
    request,
    isOwnersResort: true,
    struct: typedStructs.SetMarginMode,
    message: { wallet, marginMode: name, nonce },
    record: { bytes: setMarginModeBytes, type: CommandType.SetMarginMode },
    fill: ({ i32 }, at) => {
      i32[(at + marginModeAt) >> 2] = index
    },
    dataOf: ({ i32 }, at) => {
      const previous = i32[(at + outcomeFactsAt + factsPreviousModeAt) >> 2]
      return { wallet, margin_mode: name, previous_mode: marginModeNames[previous] }
    },
  }
}
