import { selfTradeModeAt, setSelfTradeBytes } from '../../schemas/commands.js'
import { selfTradeModeNames } from '../../schemas/domain.js'
import { CommandType } from '../../schemas/generated/commands.js'
import { typedStructs } from '../../schemas/typed-data.js'
import { Fault } from '../fault.js'
import type { GatewayContext } from '../gateway-context.js'
import { Envelope } from '../read-model/answers.js'
import type { HttpCall } from '../transport.js'
import { type AccountRequest, readAccountRequest } from './account-request.js'
import { answerFault } from './http-answer.js'
import { type SignedWrite, sendSignedWrite } from './signed-write.js'

/** POST /self-trade-prevention: what happens when the wallet would trade with itself. */
export function setSelfTrade(context: GatewayContext, call: HttpCall): void {
  const request = readAccountRequest(call.body, 'mode', selfTradeModeNames, context.signing)
  if (request instanceof Fault) answerFault(call, request, Envelope.Data)
  else sendSignedWrite(context, call, writeOf(request))
}

function writeOf(request: AccountRequest): SignedWrite {
  const { wallet, name: mode, index, nonce } = request
  return {
    request,
    isOwnersResort: true,
    struct: typedStructs.SetSelfTradePrevention,
    message: { wallet, mode, nonce },
    record: { bytes: setSelfTradeBytes, type: CommandType.SetSelfTrade },
    fill: ({ i32 }, at) => {
      i32[(at + selfTradeModeAt) >> 2] = index
    },
    dataOf: () => ({ wallet, mode }),
  }
}
