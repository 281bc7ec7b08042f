import { referralCodeBytesMax, referralCodeBytesMin } from '../bounds.js'
import { Result } from '../results.js'
import { bare, bareOrNull } from './answer.js'
import * as body from './body.js'
import * as param from './parameter.js'
import { read, walletRead } from './read.js'
import { address, count, decimal, iso, list, nullable, object, text } from './shape.js'
import { accountWrite } from './write.js'

export const referralsReads = {
  'GET /referrals/binding': walletRead({
    group: 'Referrals',
    summary: 'Returns the referrer of a wallet',
    answeredBy: 'history',
    answer: bare({
      referred_wallet: address('Referred wallet'),
      referrer_wallet: nullable(address('Owner of the code that the wallet uses; null: none')),
    }),
  }),
  'GET /referrals/code': walletRead({
    group: 'Referrals',
    summary: 'Returns the referral code of a wallet, or null',
    answeredBy: 'history',
    answer: bareOrNull({
      code: text('The referral code'),
      owner_wallet: address('Owner of the code'),
      created_at: iso('Time of creation'),
    }),
  }),
  'GET /referrals/code/': read({
    group: 'Referrals',
    summary: 'Returns the owner of a referral code',
    answeredBy: 'history',
    pathId: 'The code',
    errors: [Result.NotFound],
    answer: bare({
      code: text('The referral code'),
      owner_wallet: address('Owner of the code'),
      created_at: iso('Time of creation'),
    }),
  }),
  'GET /referrals/referred': walletRead({
    group: 'Referrals',
    summary: 'Returns the wallets that a wallet referred',
    answeredBy: 'history',
    query: { ...param.page(100, 50) },
    answer: bare({
      referrer_wallet: address('Owner of the code that the wallet uses; null: none'),
      data: list(
        object({
          referred_wallet: address('Referred wallet'),
          volume_usd: decimal('Traded volume in USD of the underlying'),
        }),
        'Referred wallets, latest first',
      ),
      pagination: object(
        {
          limit: count('Largest number of rows'),
          offset: count('Rows skipped before these'),
          count: count('Number of rows'),
        },
        'Position of these rows in the list',
      ),
    }),
  }),
}

const code = body.referralCode(
  `Referral code: ${referralCodeBytesMin} to ${referralCodeBytesMax} of A-Z, 0-9, _ and -. After the signature check, the venue removes surrounding spaces and capitalizes letters`,
)

export const referralsWrites = {
  'POST /referrals/code': accountWrite({
    group: 'Referrals',
    summary: 'Registers a referral code, permanently',
    action: 'CreateReferralCode',
    body: { wallet: body.wallet('Wallet that owns the code'), code },
    example: { code: 'DESK-1' },
    answer: bare({
      code: text('The referral code'),
      owner_wallet: address('Owner of the code'),
      created_at: iso('Time of creation'),
    }),
  }),
  'POST /referrals/set-referrer': accountWrite({
    group: 'Referrals',
    summary: 'Sets the referrer of the wallet, permanently',
    action: 'SetReferrer',
    body: {
      wallet: body.wallet('Wallet that was referred'),
      code: body.unsigned(code),
      referrer: body.wallet('Owner of the code; neither the wallet nor referred by it'),
    },
    errors: [Result.NotFound],
    example: { code: 'DESK-1', referrer: '0x89abcdef0123456789abcdef0123456789abcdef' },
    answer: bare({
      referred_wallet: address('Referred wallet'),
      referrer_wallet: address('Owner of the code that the wallet uses; null: none'),
    }),
  }),
}
