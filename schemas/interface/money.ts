import { microsPerUsd } from '../bounds.js'
import {
  deliveryStatusNames,
  directiveActionNames,
  domainStatusNames,
  transferStatuses,
  transferTypes,
} from '../domain.js'
import { Result } from '../results.js'
import { bare, cursorRows, Envelope, whole } from './answer.js'
import * as body from './body.js'
import * as param from './parameter.js'
import { read, walletRead } from './read.js'
import {
  address,
  anyAddress,
  decimal,
  exactly,
  iso,
  type JsonOf,
  list,
  named,
  nullable,
  object,
  oneOf,
  seq,
  text,
  uuid,
} from './shape.js'
import { accountWrite, unsignedWrite } from './write.js'

export const directive = named('Directive', {
  directive_id: uuid('Id of the directive, for GET /v1/directives/'),
  action_key: oneOf(directiveActionNames, 'Kind of the directive'),
  domain_status: oneOf(domainStatusNames, 'Status at the venue'),
  delivery_status: oneOf(deliveryStatusNames, 'Status of the delivery; the last five are final'),
  tx_hash: nullable(text('Transaction of the delivery; null without one')),
  created_at: iso('Time of creation'),
})
export type Directive = JsonOf<typeof directive>

export const moneyReads = {
  'GET /v1/withdrawals': walletRead({
    group: 'Money',
    summary: 'Returns withdrawals of a wallet, newest first',
    answeredBy: 'history',
    query: { limit: param.integer([1, 100], 50, 'Largest number of rows') },
    answer: bare({
      withdrawals: list(directive, 'The latest first'),
    }),
  }),
  'GET /v1/directives/': read({
    group: 'Money',
    summary: 'Returns the status of a directive',
    answeredBy: 'history',
    reader: 'wallet',
    pathId: 'Id of the directive',
    query: { wallet: param.address('Wallet that acts, or that is read') },
    errors: [Result.NotFound],
    answer: bare({
      directive_id: uuid('Id of the directive, for GET /v1/directives/'),
      action_key: oneOf(directiveActionNames, 'Kind of the directive'),
      domain_status: oneOf(domainStatusNames, 'Status at the venue'),
      delivery_status: oneOf(
        deliveryStatusNames,
        'Status of the delivery; the last five are final',
      ),
      tx_hash: nullable(text('Transaction of the delivery; null without one')),
      created_at: iso('Time of creation'),
    }),
  }),
  'GET /v1/transfers': walletRead({
    group: 'Money',
    summary: 'Returns deposits and withdrawals of a wallet, newest first',
    answeredBy: 'history',
    query: {
      transaction_type: param.someOf(transferTypes, 'Types separated by commas'),
      asset: param.texts('Assets separated by commas'),
      status: param.someOf(transferStatuses, 'Status to filter by'),
      limit: param.integer([1, 100], 50, 'Largest number of rows'),
      cursor: param.transferCursor,
    },
    answer: cursorRows(
      object({
        id: text('Id of the transfer'),
        transaction_type: oneOf(transferTypes, 'Deposit or withdrawal'),
        subtype: text('Means of the transfer'),
        asset_type: exactly('token'),
        asset_symbol: exactly('USDC'),
        amount: decimal('USD'),
        status: oneOf(transferStatuses, 'Status of the transfer'),
        domain_status: nullable(oneOf(domainStatusNames, 'Status at the venue')),
        delivery_status: nullable(
          oneOf(deliveryStatusNames, 'Status of the delivery; the last five are final'),
        ),
        tx_hash: nullable(text('Transaction of the delivery; null without one')),
        tx_hash_type: text('Ledger of the transaction'),
        created_at: iso('Time of creation'),
      }),
      'Transfers, newest first',
    ),
  }),
}

export const moneyWrites = {
  'POST /faucet': unsignedWrite({
    group: 'Money',
    summary: 'Credits paper money to a wallet; served in development only',
    body: object({ wallet: anyAddress('Wallet to credit') }),
    presets: ['development'],
    answer: whole(
      object({
        wallet: address('Wallet of the account'),
        amount: decimal('Credited amount in USD'),
        seq: seq('Sequence of the event'),
      }),
    ),
  }),
  'POST /withdraw/usdc': accountWrite({
    group: 'Money',
    summary: 'Withdraws money to an address',
    action: 'WithdrawUsdc',
    body: {
      wallet: body.wallet('Wallet that withdraws; only the wallet itself may sign'),
      account: body.agent('The same wallet again'),
      destination: body.agent('Address that receives the money'),
      amount: body.amount(`USD: above 0, at most ${Math.log10(microsPerUsd)} decimals`),
    },
    isOwnersOnly: true,
    isOwnersResort: true,
    errors: [
      Result.InsufficientBalance,
      Result.WithdrawalDestinationInactive,
      Result.WithdrawalDestinationModeUnsupported,
      Result.WithdrawalPreflightUnavailable,
      Result.WithdrawalSourceUnavailable,
    ],
    example: {
      account: '0x0123456789abcdef0123456789abcdef01234567',
      destination: '0x89abcdef0123456789abcdef0123456789abcdef',
      amount: '25',
    },
    answer: whole(
      object({
        success: exactly(true, 'True if the request succeeded'),
        request_id: uuid('Id of the request'),
        directive_id: uuid('Id of the directive, for GET /v1/directives/'),
        domain_status: oneOf(domainStatusNames, 'Status at the venue'),
        delivery_status: oneOf(
          deliveryStatusNames,
          'Status of the delivery; the last five are final',
        ),
        balance_after: decimal('Cash of the wallet afterwards, in USD'),
        message: text('Text for people, which may change'),
        seq: seq('Sequence of the event'),
      }),
      Envelope.Success,
    ),
  }),
}
