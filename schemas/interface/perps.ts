import { orderStatusNames } from '../domain.js'
import { whole } from './answer.js'
import { agentStruct, type DirectiveForm, directives, perpOrderBody } from './directives.js'
import { canceledUpdate, orderUpdate } from './orders.js'
import {
  address,
  anyOf,
  count,
  decimal,
  type JsonOf,
  list,
  millis,
  named,
  nonce,
  nothing,
  nullable,
  object,
  oneOf,
  text,
  uuid,
} from './shape.js'
import { eventSeq, side } from './terms.js'
import { nestedWrite } from './write.js'

const directiveFill = object({
  coin: text('Underlying of the perp'),
  side,
  size: decimal('Contracts'),
  price: decimal('Price in USD per contract'),
  time: millis('Engine time of the fill'),
})

export const directiveAnswer = named('DirectiveAnswer', {
  stage: oneOf(
    ['rejected', 'submitted'],
    '`submitted`: the engine accepted the action; `rejected`: the action changed nothing',
  ),
  directiveId: uuid('Id of the directive, for GET /v1/directives/'),
  actionKey: text('Action key: the last part of the path'),
  account: address('Wallet that the directive acts for'),
  nonce: nonce('Signed nonce'),
  recoveredSigner: address('Signer, as recovered from the signature'),
  txHash: nothing('Always null: the venue uses no chain'),
  rejection: nullable(
    object(
      {
        code: text(
          'Stable code of the reason; `risk_rejected`: margin or cash do not cover the order',
        ),
        message: text('Reason for people; may change'),
      },
      'Reason for a rejection; null: not rejected',
    ),
  ),
  fills: nullable(
    list(directiveFill, 'Immediate fills of an accepted order; null for any other action'),
  ),
  'orderId?': count('Id of the placed or canceled order; absent: none'),
  'orderStatus?': oneOf(orderStatusNames, 'Status of that order; see `x-states`'),
  seq: eventSeq,
})
export type DirectiveAnswer = JsonOf<typeof directiveAnswer>

export const perpsWrites = {
  'POST /perp-order': nestedWrite({
    group: 'Perps',
    summary: 'Places or cancels a perp order',
    nested: perpOrderBody,
    structs: [agentStruct],
    domain: 'perp',
    signedBy: 'wallet',
    categories: ['OrderPlacement', 'OrderCancellation'],
    example: {
      action: {
        type: 'order',
        orders: [
          {
            a: 0,
            b: true,
            p: '100000',
            s: '0.01',
            r: false,
            t: { limit: { tif: 'Gtc' } },
            c: '0x00000000000000000000000000000007',
          },
        ],
        grouping: 'na',
      },
    },
    answer: whole(anyOf([orderUpdate, canceledUpdate])),
  }),
  'POST /v1/actions/hl_limit_order': directiveWrite(
    directives.hl_limit_order,
    'Places a perp order through a directive',
    {
      asset: 0,
      isBuy: true,
      limitPx: 10_000_000_000_000,
      sz: 1_000_000,
      reduceOnly: false,
      encodedTif: 2,
      cloid: '7',
    },
  ),
  'POST /v1/actions/hl_cancel_by_oid': directiveWrite(
    directives.hl_cancel_by_oid,
    'Cancels a perp order by order id through a directive',
    { asset: 0, oid: 4096 },
  ),
  'POST /v1/actions/hl_cancel_by_cloid': directiveWrite(
    directives.hl_cancel_by_cloid,
    'Cancels a perp order by client id through a directive',
    { asset: 0, cloid: '0x00000000000000000000000000000007' },
  ),
  'POST /v1/actions/hl_set_abstraction': directiveWrite(
    directives.hl_set_abstraction,
    'Records the abstraction of an account through a directive',
    { user: '0x0123456789abcdef0123456789abcdef01234567', abstraction: 2 },
  ),
  'POST /v1/actions/hc_update_api_wallet': directiveWrite(
    directives.hc_update_api_wallet,
    'Sets or removes a named trading key through a directive',
    {
      name: '0x0000000000000000000000000000000000000000000000000000000000000061',
      addr: '0x89abcdef0123456789abcdef0123456789abcdef',
    },
  ),
}

// A function declaration, because the table above is built while this file loads.

/** A directive. All of them count as placements. */
function directiveWrite(
  { struct, domain, body }: DirectiveForm,
  summary: string,
  action: Readonly<Record<string, unknown>>,
) {
  return nestedWrite({
    ...{ group: 'Perps', summary, nested: body, structs: [struct], domain },
    signedBy: domain === 'managerSign' ? 'owner' : 'wallet',
    categories: ['OrderPlacement'],
    example: { action },
    answer: whole(directiveAnswer),
  })
}
