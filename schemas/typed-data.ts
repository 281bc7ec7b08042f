/** Domain of a signature; `verifyingContract` is always the zero address and there is no salt. */
export interface SigningDomain {
  readonly name: string
  readonly version: string
  readonly chainId: number
}

export interface TypedField {
  readonly name: string
  readonly type: string
}

/**
 * An EIP-712 struct: the name that is signed, its fields in order, and the structs they refer to.
 */
export interface StructType {
  readonly primaryType: string
  readonly fields: readonly TypedField[]
  readonly nested: Readonly<Record<string, readonly TypedField[]>>
  /** Text whose keccak-256 is the type hash. */
  readonly encodeType: string
}

export const domainVersion = '1'
export const perpDomain: SigningDomain = { name: 'Exchange', version: domainVersion, chainId: 1337 }

export const domainType: StructType = struct(
  'EIP712Domain',
  'string name,string version,uint256 chainId,address verifyingContract',
)

const limitOrder = fieldsOf(
  'uint32 asset,bool isBuy,uint64 limitPx,uint64 sz,bool reduceOnly,uint8 encodedTif,uint128 cloid',
)
const perpOrderTerms = fieldsOf(
  'uint32 asset,bool isBuy,uint64 limitPx,uint64 sz,bool reduceOnly,uint8 encodedTif,' +
    'uint64 triggerPx,bool isMarket,uint8 tpsl,uint128 cloid',
)

/**
 * Every struct that a client may sign, under its primary type; the PlaceOrder without a route,
 * which has the same primary type, is `PlaceOrderWithoutRoute`.
 */
export const typedStructs = {
  PlaceOrder: struct(
    'PlaceOrder',
    'address wallet,string symbol,string side,string size,string price,string tif,string route,' +
      'string clientId,uint64 nonce',
  ),
  PlaceOrderWithoutRoute: struct(
    'PlaceOrder',
    'address wallet,string symbol,string side,string size,string price,string tif,' +
      'string clientId,uint64 nonce',
  ),
  PlaceOrderReduceOnly: struct(
    'PlaceOrderReduceOnly',
    'address wallet,string symbol,string side,string size,string price,string tif,string route,' +
      'string clientId,bool reduceOnly,uint64 nonce',
  ),
  ReplaceOrder: struct(
    'ReplaceOrder',
    'address wallet,string orderId,string symbol,string side,string size,string price,string tif,' +
      'string clientId,uint64 nonce',
  ),
  ReplaceOrderReduceOnly: struct(
    'ReplaceOrderReduceOnly',
    'address wallet,string orderId,string symbol,string side,string size,string price,string tif,' +
      'string clientId,bool reduceOnly,uint64 nonce',
  ),
  CancelOrder: struct('CancelOrder', 'address wallet,string orderId,uint64 nonce'),
  CancelOrderByClientId: struct(
    'CancelOrderByClientId',
    'address wallet,string clientId,uint64 nonce',
  ),
  ApproveAgent: struct('ApproveAgent', 'address agent,uint64 nonce'),
  RevokeAgent: struct('RevokeAgent', 'address agent,uint64 nonce'),
  RevokeAllAgents: struct('RevokeAllAgents', 'uint64 nonce'),
  SetMarginMode: struct('SetMarginMode', 'address wallet,string marginMode,uint64 nonce'),
  WithdrawUsdc: struct(
    'WithdrawUsdc',
    'address wallet,address account,address destination,string amount,uint64 nonce',
  ),
  SetSettlementPayoutSeen: struct(
    'SetSettlementPayoutSeen',
    'address wallet,string payoutIds,bool seen,uint64 nonce',
  ),
  CreateReferralCode: struct('CreateReferralCode', 'address wallet,string code,uint64 nonce'),
  SetReferrer: struct('SetReferrer', 'address wallet,address referrer,uint64 nonce'),
  StandardMarginLiquidationOrder: struct(
    'StandardMarginLiquidationOrder',
    'address wallet,address liquidatedWallet,string requestId,string auctionId,string bidUsdc,' +
      'string portfolioHash,string auctionTermsHash,string bidIntentHash,uint64 auctionVersion,' +
      'uint64 nonce',
  ),
  SubmitRFQ: struct('SubmitRFQ', 'bytes32 rfqId,bytes32 legsHash,address wallet,uint64 nonce'),
  SubmitAutoExecuteRfq: struct(
    'SubmitAutoExecuteRfq',
    'bytes32 rfqId,bytes32 legsHash,int256 limitPrice,address wallet,uint64 nonce',
  ),
  AcceptRFQQuote: struct(
    'AcceptRFQQuote',
    'bytes32 rfqId,bytes32 quoteId,int256 netPremium,address wallet,uint64 nonce',
  ),
  SubmitRFQResponse: struct(
    'SubmitRFQResponse',
    'bytes32 rfqId,bytes32 legsHash,int256 netPremium,uint256 validForMs,address qpWallet,' +
      'uint64 nonce',
  ),
  ConnectQuoteProvider: struct(
    'ConnectQuoteProvider',
    'address wallet,uint256 timestamp,uint64 nonce',
  ),
  PushAction: struct('PushAction', 'address wallet,string action,uint64 nonce'),
  SubmitUsernameRequest: struct(
    'SubmitUsernameRequest',
    'address wallet,string requestedUsername,uint64 nonce',
  ),
  SetMmpConfig: struct(
    'SetMmpConfig',
    'address wallet,string currency,uint64 intervalMs,uint64 frozenTimeMs,string qtyLimit,' +
      'string deltaLimit,string vegaLimit,uint64 nonce',
  ),
  ResetMmp: struct('ResetMmp', 'address wallet,string currency,uint64 nonce'),
  DeleteMmpConfig: struct('DeleteMmpConfig', 'address wallet,string currency,uint64 nonce'),
  SetUserTier: struct('SetUserTier', 'address wallet,string tier,uint64 nonce'),
  SetSelfTradePrevention: struct(
    'SetSelfTradePrevention',
    'address wallet,string mode,uint64 nonce',
  ),

  Agent: struct('Agent', 'string source,bytes32 connectionId'),

  HLOrder: struct('HLOrder', 'address account,uint64 nonce,LimitOrder action', {
    LimitOrder: limitOrder,
  }),
  HLCancel: struct('HLCancel', 'address account,uint64 nonce,CancelOrderByOid action', {
    CancelOrderByOid: fieldsOf('uint32 asset,uint64 oid'),
  }),
  HLCancelByCloid: struct(
    'HLCancelByCloid',
    'address account,uint64 nonce,CancelOrderByCloid action',
    {
      CancelOrderByCloid: fieldsOf('uint32 asset,uint128 cloid'),
    },
  ),
  HLSetAbstraction: struct(
    'HLSetAbstraction',
    'address account,uint64 nonce,SetAbstraction action',
    {
      SetAbstraction: fieldsOf('address user,uint8 abstraction'),
    },
  ),
  HCUpdateApiWallet: struct(
    'HCUpdateApiWallet',
    'address account,uint64 nonce,UpdateApiWallet action',
    { UpdateApiWallet: fieldsOf('bytes32 name,address addr') },
  ),
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
  HCPerpLeverageChange: struct(
    'HCPerpLeverageChange',
    'address account,uint64 nonce,PerpLeverageChange action',
    { PerpLeverageChange: fieldsOf('uint32 asset,bool isCross,uint32 leverage') },
  ),
  HLAddApiWallet: struct('HLAddApiWallet', 'address account,uint64 nonce,AddApiWallet action', {
    AddApiWallet: fieldsOf('address apiWalletAddress,string apiWalletName'),
  }),
} as const satisfies Record<string, StructType>

/** The four domains of an environment. */
export interface SigningDomains {
  /** Options, RFQ and account actions. */
  readonly options: SigningDomain
  /** Directives signed by a trading key. */
  readonly apiSign: SigningDomain
  /** Directives signed by the account owner. */
  readonly managerSign: SigningDomain
  readonly perp: SigningDomain
}

/**
 * Domains of an environment, from its configuration (`service.name`, chain id).
 */
export function signingDomains(serviceName: string, chainId: number): SigningDomains {
  return {
    options: { name: serviceName, version: domainVersion, chainId },
    apiSign: { name: `${serviceName}ApiSign`, version: domainVersion, chainId },
    managerSign: { name: `${serviceName}ManagerSign`, version: domainVersion, chainId },
    perp: perpDomain,
  }
}

// Function declarations, because the tables above are built while this file loads.

function struct(
  primaryType: string,
  fieldsText: string,
  nested: Readonly<Record<string, readonly TypedField[]>> = {},
): StructType {
  // EIP-712 "Definition of encodeType": the struct itself, then those it refers to, by name.
  const encodeType = Object.keys(nested)
    .sort()
    .reduce(
      (text, name) => `${text}${name}(${textOf(nested[name]!)})`,
      `${primaryType}(${fieldsText})`,
    )
  return { primaryType, fields: fieldsOf(fieldsText), nested, encodeType }
}

function fieldsOf(text: string): readonly TypedField[] {
  return text.split(',').map((field) => {
    const [type, name] = field.split(' ')
    return { name: name!, type: type! }
  })
}

function textOf(fields: readonly TypedField[]): string {
  return fields.map((field) => `${field.type} ${field.name}`).join(',')
}
