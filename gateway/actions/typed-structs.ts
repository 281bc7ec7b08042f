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
    // The push actions share a struct with a different name.
    .filter(([name, { primaryType }]) => primaryType === name),
) as Readonly<
  Record<Exclude<AccountActionName, keyof typeof pushActions> | StreamActionName, StructType>
>

/**
 * Every struct that a client may sign, by primary type. The PlaceOrder without a route, whose primary type is
 * PlaceOrder too, is `PlaceOrderWithoutRoute`.
 */
export const typedStructs = {
  ...orderStructs,
  ...accountStructs,
  ...rfqStructs,

  ...providerStructs,
  /** Grants reads of a wallet until it expires. May be presented repeatedly. Unix milliseconds. */
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

/** Returns the struct that an account signs for one directive. @param fields Fields of the action. */
function directive(name: string, action: string, fields: string): StructType {
  const nested = { [action]: fieldsOf(fields) }
  return struct(name, `address account,uint64 nonce,${action} action`, nested)
}

function structOf({ row }: Pick<Action, 'row'>): StructType {
  return row.structs[0]!
}
