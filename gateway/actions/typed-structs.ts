import { fieldsOf, type StructType, struct } from '../../schemas/typed-data.js'
import { type AccountActionName, accountActions } from './account-actions.js'
import type { Action } from './action.js'
import { orderStructs } from './order-actions.js'
import { type PushActionName, pushActions } from './push-actions.js'
import { rfqStructs } from './rfq-actions.js'
import { type StreamActionName, streamActions } from './stream-actions.js'

const limitOrder =
  'uint32 asset,bool isBuy,uint64 limitPx,uint64 sz,bool reduceOnly,uint8 encodedTif,uint128 cloid'
const perpOrderTerms = fieldsOf(
  'uint32 asset,bool isBuy,uint64 limitPx,uint64 sz,bool reduceOnly,uint8 encodedTif,' +
    'uint64 triggerPx,bool isMarket,uint8 tpsl,uint128 cloid',
)

const accountStructs = Object.fromEntries(
  Object.entries<Pick<Action, 'struct'>>({ ...accountActions, ...streamActions })
    // Several actions may sign one struct, under a name that is none of theirs.
    .filter(([name, { struct }]) => struct.primaryType === name)
    .map(([name, { struct }]) => [name, struct]),
) as Readonly<Record<Exclude<AccountActionName, PushActionName> | StreamActionName, StructType>>

/**
 * Every struct that a client may sign, under its primary type; the PlaceOrder without a route,
 * which has the same primary type, is `PlaceOrderWithoutRoute`.
 */
export const typedStructs = {
  ...orderStructs,
  ...accountStructs,
  ...rfqStructs,

  SubmitRFQResponse: struct(
    'SubmitRFQResponse',
    'bytes32 rfqId,bytes32 legsHash,int256 netPremium,uint256 validForMs,address qpWallet,' +
      'uint64 nonce',
  ),
  ConnectQuoteProvider: struct(
    'ConnectQuoteProvider',
    'address wallet,uint256 timestamp,uint64 nonce',
  ),
  /** What may be read of a wallet until then: it is shown, not used up. Unix milliseconds. */
  ReadSession: struct('ReadSession', 'address wallet,uint64 expiresAt'),
  PushAction: pushActions.PushSubscribe.struct,

  Agent: struct('Agent', 'string source,bytes32 connectionId'),

  HLOrder: directive('HLOrder', 'LimitOrder', limitOrder),
  HLCancel: directive('HLCancel', 'CancelOrderByOid', 'uint32 asset,uint64 oid'),
  HLCancelByCloid: directive('HLCancelByCloid', 'CancelOrderByCloid', 'uint32 asset,uint128 cloid'),
  HLSetAbstraction: directive(
    'HLSetAbstraction',
    'SetAbstraction',
    'address user,uint8 abstraction',
  ),
  HCUpdateApiWallet: directive('HCUpdateApiWallet', 'UpdateApiWallet', 'bytes32 name,address addr'),
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
