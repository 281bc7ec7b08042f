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

// Account events other than trading.

export const openMark = part('OpenMark', 'The current mark of an open instrument.', [
  f64('markMicros'),
  i32('instrument'),
  i32('zero'),
])

export const accountEvents = [
  event({ Username: 29 }, 'Names of a wallet after the change.', [
    i32('account'),
    one('change', 'UsernameChange'),
    address('wallet'),
    text('username', usernameBytesMax, 'its name; empty: none'),
    text('pending', usernameBytesMax, 'the requested name; empty: none'),
    unused(4),
  ]),
  event({ Directive: 26 }, 'Current state of a directive, or a repetition of it.', [
    uuid('directiveId'),
    f64('amountMicros', 'SendAsset: amount to send; else 0'),
    f64('createdMillis'),
    f64(
      'inTransitMicros',
      'of all wallets after this event: withdrawn, and neither delivered nor returned',
    ),
    one('action', 'DirectiveAction'),
    one('domain', 'DomainStatus'),
    one('delivery', 'DeliveryStatus'),
    one('reason', 'Result', 'reason of a rejection; else `Accepted`'),
    i32('account'),
    address('wallet'),
    address('destination', 'SendAsset: destination; else zeros'),
    bytes('txHash', txHashBytes, 'zeros: none'),
    unused(4),
  ]),
  event(
    { ApiWallet: 28 },
    'A named key of a wallet that may sign trading directives was set or removed.',
    [
      one('change', 'AgentChange'),
      i32('account'),
      address('wallet'),
      address('apiWallet'),
      bytes('name', apiWalletNameBytes),
    ],
  ),
  event({ Competition: 30 }, 'A competition after the change.', [
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
    'With the change `Marks`: the marks at the start or end of a competition. Missing marks are omitted.',
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
    'Referral code and referrer of a wallet, after either was set; or bootstrap. Neither ever changes.',
    [
      f64('createdMillis', 'of the code; 0: none'),
      f64('number', 'of the binding, incremented with each; 0: none'),
      i32('account'),
      text('code', referralCodeBytesMax),
      address('wallet'),
      address('referrer', 'zeros: none'),
      unused(4),
    ],
  ),
  event(
    { Push: 38 },
    'A push subscription, or the notification topics of a wallet. Only the push sender reads it.',
    [
      f64('subscriptionId', 'incremented with each; 0: none'),
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
