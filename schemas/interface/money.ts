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

const domainStatus = oneOf(domainStatusNames, 'Status of the directive at the venue')
const deliveryWords =
  'Status of the delivery; the final ones are `core_rejected`, `finalized`, `reverted`, `expired` and `dead_lettered`'
const deliveryStatus = oneOf(deliveryStatusNames, deliveryWords)
const directiveId = uuid('Id of the directive, for GET /v1/directives/{id}')
const txHash = nullable(text('Transaction hash of the delivery; null: none'))

const directiveFields = {
  directive_id: directiveId,
  action_key: oneOf(
    directiveActionNames,
    'Action of the directive; `hl_send_asset` is a withdrawal',
  ),
  domain_status: domainStatus,
  delivery_status: deliveryStatus,
  tx_hash: txHash,
  created_at: iso('Time of acceptance'),
}
export const directive = named('Directive', directiveFields)
export type Directive = JsonOf<typeof directive>

const transfer = object({
  id: text('Id of the transfer; for a withdrawal, the id of its directive'),
  transaction_type: oneOf(transferTypes, 'Type of the transfer'),
  subtype: text('`usdc_deposit` or `usdc_withdrawal`'),
  asset_type: exactly('token', 'Always `token`'),
  asset_symbol: exactly('USDC', 'Always `USDC`'),
  amount: decimal('Amount in USD'),
  status: oneOf(transferStatuses, 'Status of the transfer; deposits are always `completed`'),
  domain_status: nullable(domainStatus, 'Status of a withdrawal at the venue; null: a deposit'),
  delivery_status: nullable(deliveryStatus, `${deliveryWords}; null: a deposit`),
  tx_hash: txHash,
  tx_hash_type: text('Ledger of the transaction: `hyper_evm` or `hypercore`'),
  created_at: iso('Time of the transfer'),
})

const grant = object({
  wallet: address('Credited wallet'),
  amount: decimal('Credited amount in USD'),
  seq: seq('Sequence of the event'),
})
export type Grant = JsonOf<typeof grant>

const withdrawal = object({
  success: exactly(true, 'Always true: the venue accepted the withdrawal'),
  request_id: uuid('Same as `directive_id`'),
  directive_id: directiveId,
  domain_status: domainStatus,
  delivery_status: deliveryStatus,
  balance_after: decimal('Cash of the wallet after the debit, in USD'),
  message: text('Description for people; may change'),
  seq: seq('Sequence of the event'),
})
export type Withdrawal = JsonOf<typeof withdrawal>

export const moneyReads = {
  'GET /v1/withdrawals': walletRead({
    group: 'Money',
    summary: 'Returns the withdrawals of a wallet',
    description: 'Newest first.',
    answeredBy: 'history',
    query: { limit: param.integer([1, 100], 50, 'Maximum number of rows') },
    answer: bare({ withdrawals: list(directive, 'Withdrawals of the wallet') }),
  }),
  'GET /v1/directives/': read({
    group: 'Money',
    summary: 'Returns the status of a directive or a withdrawal',
    description:
      'Poll it until `delivery_status` is final. Where private reads are signed, it needs a read session of the ' +
      'wallet.',
    answeredBy: 'history',
    reader: 'wallet',
    pathId: 'Id of the directive',
    query: { wallet: param.address('Wallet of the directive; absent: any') },
    errors: [Result.NotFound],
    answer: bare(directiveFields),
  }),
  'GET /v1/transfers': walletRead({
    group: 'Money',
    summary: 'Returns the deposits and withdrawals of a wallet',
    description:
      'Newest first; filters combine. To get the next page, pass `next_cursor` as `cursor`; new transfers do not ' +
      'shift the ' +
      'pages.',
    answeredBy: 'history',
    query: {
      transaction_type: param.someOf(transferTypes, 'Types to filter by, separated by commas'),
      asset: param.texts('Assets to filter by, separated by commas; every transfer is in `USDC`'),
      status: param.someOf(transferStatuses, 'Statuses to filter by, separated by commas'),
      limit: param.integer([1, 100], 50, 'Maximum number of rows'),
      cursor: param.transferCursor,
    },
    answer: cursorRows(transfer, 'Transfers that match the filters'),
  }),
}

export const moneyWrites = {
  'POST /faucet': unsignedWrite({
    group: 'Money',
    summary: 'Credits demo funds to a wallet',
    description:
      'The first grant opens the account of the wallet. A wallet can use the faucet once per minute. Only the ' +
      '`development` preset serves this path.',
    body: object({ wallet: anyAddress('Wallet to credit') }),
    presets: ['development'],
    answer: whole(grant),
  }),
  'POST /withdraw/usdc': accountWrite({
    group: 'Money',
    summary: 'Withdraws USDC from a wallet to an address',
    description:
      'Debits the wallet immediately, by at most `withdrawable_usdc` of GET /portfolio. Follow the delivery with ' +
      'GET /v1/directives/{id}. If the check of the destination fails, the venue debits nothing.',
    action: 'WithdrawUsdc',
    body: {
      wallet: body.wallet('Wallet that withdraws; only its owner may sign'),
      account: body.agent('Same as `wallet`'),
      destination: body.agent('Address that receives the withdrawal'),
      amount: body.amount(
        `Amount in USD: above 0, with at most ${Math.log10(microsPerUsd)} decimals`,
      ),
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
    answer: whole(withdrawal, Envelope.Success),
  }),
}
