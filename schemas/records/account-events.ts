import {
  apiWalletNameBytes,
  pushKeyBytes,
  pushKeyPadding,
  referralCodeBytesMax,
  txHashBytes,
  usernameBytesMax,
} from '../bounds.js'
import { event } from './event.js'
import { address, bytes, f64, i32, one, part, rows, text, unused } from './layout.js'
import { competitionTerms, uuid } from './parts.js'

// Events of what accounts do beside trading.

export const openMark = part('OpenMark', 'The mark in force of an instrument that is open.', [
  f64('markMicros'),
  i32('instrument'),
  i32('zero'),
])

export const accountEvents = [
  event({ Username: 29 }, "A wallet's names after the change.", [
    i32('account'),
    one('change', 'UsernameChange'),
    address('wallet'),
    text('username', usernameBytesMax, 'that it goes by; empty: none'),
    text('pending', usernameBytesMax, 'that it has asked for; empty: none'),
    unused(4),
  ]),
  event({ Directive: 26 }, 'What an account has asked for has come so far, or is told again.', [
    uuid('directiveId'),
    f64('amountMicros', 'SendAsset: what is sent; else 0'),
    f64('createdMillis'),
    f64('inTransitMicros', 'withdrawn by all, and neither delivered nor given back, behind this'),
    one('action', 'DirectiveAction'),
    one('domain', 'DomainStatus'),
    one('delivery', 'DeliveryStatus'),
    one('reason', 'Result', 'why it was refused; `Accepted`: it was not'),
    i32('account'),
    address('wallet'),
    address('destination', 'SendAsset: where to; else zeros'),
    bytes('txHash', txHashBytes, 'zeros: none'),
    unused(4),
  ]),
  event(
    { ApiWallet: 28 },
    'A key was set, or removed, that may sign directives for trading, under a name of its wallet.',
    [
      one('change', 'AgentChange'),
      i32('account'),
      address('wallet'),
      address('apiWallet'),
      bytes('name', apiWalletNameBytes),
    ],
  ),
  event({ Competition: 30 }, 'A competition as it is after the change.', [
    f64('competitionId'),
    one('change', 'CompetitionChange'),
    one('state', 'CompetitionState'),
    ...competitionTerms,
    f64('createdMillis'),
    f64('updatedMillis'),
    rows('texts', 'bytes', 'UTF-8'),
  ]),
  event(
    { Competition: 30 },
    'With the change `Marks`: what positions are worth as the span begins, or is over. Marks that are missing are left out.',
    [
      f64('competitionId'),
      one('change', 'CompetitionChange'),
      i32('count'),
      rows('marks', openMark),
    ],
    { name: 'CompetitionMarks' },
  ),
  event(
    { Referral: 31 },
    'The code of a wallet, and who has brought it here, after one of both came; or bootstrap. Neither ever changes.',
    [
      f64('createdMillis', 'of the code; 0: there is none'),
      f64('number', 'of the binding, rises by one with each; 0: there is none'),
      i32('account'),
      text('code', referralCodeBytesMax),
      address('wallet'),
      address('referrer', 'zeros: none'),
      unused(4),
    ],
  ),
  event(
    { Push: 38 },
    'A subscription to notifications, or what a wallet wants to be notified of. It is told for whoever sends them alone.',
    [
      f64('subscriptionId', 'rises by one with each; 0: it is about none'),
      one('change', 'PushChange'),
      i32('topics', 'PushTopic bits of the wallet'),
      i32('account'),
      i32('endpointBytes'),
      address('wallet'),
      bytes('keys', pushKeyBytes + pushKeyPadding, 'point, secret, zeros'),
      rows('endpoint', 'bytes', 'ASCII'),
    ],
  ),
]
