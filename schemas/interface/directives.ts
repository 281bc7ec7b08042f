import { type StructType, struct } from '../typed-data.js'
import {
  anyAddress,
  anyOf,
  bareName,
  choice,
  count,
  exactly,
  flag,
  type JsonSchema,
  kind,
  list,
  nullable,
  object,
  oneOf,
  type Shape,
  type ShapeFields,
} from './shape.js'

// Directives and perp actions: bodies with a nested action, and their structs.

const noncePattern = '^[0-9]{1,20}$'
const perpCloid = { type: 'string', pattern: '^0x[0-9a-fA-F]{32}$' }
const hexWord = kind<string>({ type: 'string', pattern: '^0x[0-9a-fA-F]{1,64}$' })

/** Fields that every signed body has in addition to its own. */
export const signedFields = {
  nonce: shaped<number | string>({
    description: 'Nonce, unique per wallet: a number, or decimal text above 2^53',
    anyOf: [
      { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      { type: 'string', pattern: noncePattern },
    ],
  }),
  signature: shaped<string>({
    type: 'string',
    pattern: '^0x[0-9a-fA-F]{130}$',
    description:
      'Signature r, s, v over the EIP-712 digest of x-signature: 65 bytes in hexadecimal',
  }),
  'signer?': shaped<unknown>({ description: 'Ignored: the venue recovers the signer' }),
}

/** Struct, domain and body of a directive. */
export interface DirectiveForm {
  readonly struct: StructType
  /** `apiSign`: the owner, an agent or a trading key signs; `managerSign`: the owner alone. */
  readonly domain: 'apiSign' | 'managerSign'
  readonly body: Shape<unknown>
}

type Term = readonly [type: string, description: string]

const asset: Term = ['uint32', 'Asset number of the perp, from `perps` of GET /exchange-info']
const cloid: Term = ['uint128', 'Client id: 16 bytes in hexadecimal, or an integer above 0']

/** Directives by their keys: the last part of the path. */
export const directives = {
  hl_limit_order: directive('apiSign', 'HLOrder', 'LimitOrder', {
    asset,
    isBuy: ['bool', 'True for a buy, false for a sell'],
    limitPx: ['uint64', 'Limit price in USD, times 100,000,000'],
    sz: ['uint64', 'Size in contracts, times 100,000,000'],
    reduceOnly: ['bool', 'True if the order may only reduce a position'],
    encodedTif: [
      'uint8',
      '1: add liquidity only (alo), rejected if it would trade on arrival; 2: gtc; 3: ioc',
    ],
    'cloid?': cloid,
  }),
  hl_cancel_by_oid: directive('apiSign', 'HLCancel', 'CancelOrderByOid', {
    asset,
    oid: ['uint64', 'Id of the order'],
  }),
  hl_cancel_by_cloid: directive('apiSign', 'HLCancelByCloid', 'CancelOrderByCloid', {
    asset,
    cloid,
  }),
  hl_set_abstraction: directive('managerSign', 'HLSetAbstraction', 'SetAbstraction', {
    user: ['address', 'Wallet that the directive acts for'],
    abstraction: ['uint8', 'Exactly 2; the venue records it without further effect'],
  }),
  hc_update_api_wallet: directive('managerSign', 'HCUpdateApiWallet', 'UpdateApiWallet', {
    name: ['bytes32', 'Name of the key'],
    addr: ['address', 'Address of the key; the zero address removes the name'],
  }),
}
export type DirectiveKey = keyof typeof directives

/** Struct of a perp action. `connectionId` is the hash of the action. */
export const agentStruct = struct('Agent', 'string source,bytes32 connectionId')

const canonical = kind<string>({
  type: 'string',
  pattern: '^(0|[1-9][0-9]*)(\\.[0-9]{0,7}[1-9])?$',
})
const hexCloid = kind<string>(perpCloid)
const perpAsset = count(asset[1])
const one = (fields: ShapeFields) =>
  list(object(fields), 'List of exactly one item', { minItems: 1, maxItems: 1 })

const order = object({
  type: exactly('order'),
  orders: one({
    a: perpAsset,
    b: flag('True for a buy, false for a sell'),
    p: canonical(
      'Limit price in USD, in canonical form: at most 8 decimals, no leading or trailing zeros',
    ),
    s: canonical('Size in contracts, in canonical form'),
    r: flag('True if the order may only reduce a position'),
    t: object(
      {
        limit: object(
          {
            tif: oneOf(
              ['Gtc', 'Ioc', 'Alo'],
              '`Gtc`: good till canceled; `Ioc`: immediate or cancel; `Alo`: add liquidity only, rejected if it would ' +
                'trade on arrival',
            ),
          },
          'Limit order; the venue does not support trigger orders',
        ),
      },
      'Time in force of the order',
    ),
    'c?': nullable(hexCloid('Client id: 16 bytes in hexadecimal')),
  }),
  grouping: exactly('na', 'Exactly `na`'),
})
const cancel = object({
  type: exactly('cancel'),
  cancels: one({
    a: perpAsset,
    o: count('Id of the order'),
  }),
})
const cancelByCloid = object({
  type: exactly('cancelByCloid'),
  cancels: one({
    asset: perpAsset,
    cloid: hexCloid('Client id: 16 bytes in hexadecimal'),
  }),
})
const { signature: signatureText, ...otherSigned } = signedFields
const signatureParts = object({
  r: hexWord('First 32 bytes of the signature'),
  s: hexWord('Second 32 bytes of the signature'),
  v: count('Recovery id: 27 or 28; 0 and 1 also work'),
})

/** Body of a perp action. */
export const perpOrderBody = object({
  wallet: anyAddress('Wallet that trades'),
  action: choice(
    [order, cancel, cancelByCloid],
    'Action; the venue hashes it with its keys in the order of this schema',
  ),
  nonce: otherSigned.nonce,
  signature: anyOf(
    [signatureText, signatureParts],
    'Signature over the EIP-712 digest of x-signature, as one text or as three parts',
  ),
  'vaultAddress?': nullable(anyAddress('The wallet again, if an agent signs; part of the digest')),
  'expiresAfter?': nullable(
    count('Unix milliseconds after which the action fails; part of the digest'),
  ),
  'signer?': otherSigned['signer?'],
})

// Function declarations, because the tables above are built while this file loads.

/** @param terms type and description of each field of the nested struct. */
function directive(
  domain: DirectiveForm['domain'],
  primaryType: string,
  action: string,
  terms: Readonly<Record<string, Term>>,
): DirectiveForm {
  const nested = Object.entries(terms).map(([name, [fieldType]]) => ({
    name: bareName(name),
    type: fieldType,
  }))
  const fields = Object.entries(terms).map(([name, term]) => [name, termShape(name, term)] as const)
  return {
    domain,
    struct: struct(primaryType, `address account,uint64 nonce,${action} action`, {
      [action]: nested,
    }),
    body: object({
      account: anyAddress('Wallet that the directive acts for'),
      action: object(Object.fromEntries(fields), 'Content of the directive; all of it is signed'),
      ...signedFields,
    }),
  }
}

function termShape(name: string, [fieldType, description]: Term): Shape<unknown> {
  if (fieldType === 'bool') return flag(description)
  if (fieldType === 'address') return anyAddress(description)
  if (fieldType === 'bytes32') return hexWord(description)
  const bits = Number(fieldType.slice('uint'.length))
  if (bits <= 32)
    return shaped({ type: 'integer', minimum: 0, maximum: 2 ** bits - 1, description })
  const texts = [{ type: 'string', pattern: '^[0-9]+$' }]
  if (bareName(name) === 'cloid') texts.push(perpCloid)
  return shaped({ anyOf: [{ type: 'integer', minimum: 0 }, ...texts], description })
}

function shaped<Json>(schema: JsonSchema): Shape<Json> {
  return { schema }
}
