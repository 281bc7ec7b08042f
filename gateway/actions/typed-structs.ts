import { agentStruct, directives } from '../../schemas/interface/directives.js'
import { providerStructs } from '../../schemas/interface/frames.js'
import { orderStructs } from '../../schemas/interface/order-bodies.js'
import { rfqStructs } from '../../schemas/interface/rfq-bodies.js'
import type { AccountActionName } from '../../schemas/interface/writes.js'
import { fieldsOf, type StructType, struct } from '../../schemas/typed-data.js'
import { accountActions } from './account-actions.js'
import type { Action } from './action.js'
import { pushActions } from './push-actions.js'
import { type StreamActionName, streamActions } from './stream-actions.js'

const perpOrderTerms = fieldsOf(
  'uint32 asset,bool isBuy,uint64 limitPx,uint64 sz,bool reduceOnly,uint8 encodedTif,' +
    'uint64 triggerPx,bool isMarket,uint8 tpsl,uint128 cloid',
)

const accountStructs = Object.fromEntries(
  Object.entries<Pick<Action, 'row'>>({ ...accountActions, ...streamActions })
    .map(([name, action]) => [name, structOf(action)] as const)
    // The push actions share a struct with another name.
    .filter(([name, { primaryType }]) => primaryType === name),
) as Readonly<
  Record<Exclude<AccountActionName, keyof typeof pushActions> | StreamActionName, StructType>
>

/**
 * Every struct that a client may sign, under its primary type; the PlaceOrder without a route,
 * which has the same primary type, is `PlaceOrderWithoutRoute`.
 */
export const typedStructs = {
  ...orderStructs,
  ...accountStructs,
  ...rfqStructs,

  ...providerStructs,
  /** What may be read of a wallet until then: it is shown, not used up. Unix milliseconds. */
  ReadSession: struct('ReadSession', 'address wallet,uint64 expiresAt'),
  PushAction: structOf(pushActions.PushSubscribe),

  Agent: agentStruct,

  HLOrder: directives.hl_limit_order.struct,
  HLCancel: directives.hl_cancel_by_oid.struct,
  HLCancelByCloid: directives.hl_cancel_by_cloid.struct,
  HLSetAbstraction: directives.hl_set_abstraction.struct,
  HCUpdateApiWallet: directives.hc_update_api_wallet.struct,
  HCPerpTriggerOrder: struct(
    'HCPerpTriggerOrder',
    'address account,uint64 nonce,PerpOrderTerms order',
    { PerpOrderTerms: perpOrderTerms },
  ),
  HCPerpOrderBatch: struct(
    'HCPerpOrderBatch',
    'address account,uint64 nonce,uint8 grouping,PerpOrderTerms[] orders',
    { PerpOrderTerms: perpOrderTerms },
  ),
  HCPerpLeverageChange: directive(
    'HCPerpLeverageChange',
    'PerpLeverageChange',
    'uint32 asset,bool isCross,uint32 leverage',
  ),
  HLAddApiWallet: directive(
    'HLAddApiWallet',
    'AddApiWallet',
    'address apiWalletAddress,string apiWalletName',
  ),
} as const satisfies Record<string, StructType>

/** What an account signs to have one action done. @param fields of the action. */
function directive(name: string, action: string, fields: string): StructType {
  const nested = { [action]: fieldsOf(fields) }
  return struct(name, `address account,uint64 nonce,${action} action`, nested)
}

function structOf({ row }: Pick<Action, 'row'>): StructType {
  return row.structs[0]!
}
