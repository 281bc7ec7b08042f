import { referralCodeBytesMax, referralCodeBytesMin } from '../bounds.js'
import { Result } from '../results.js'
import { bare, bareOrNull, pagination } from './answer.js'
import * as body from './body.js'
import * as param from './parameter.js'
import { read, walletRead } from './read.js'
import { address, decimal, iso, list, nullable, type ObjectOf, object, text } from './shape.js'
import { accountWrite } from './write.js'

const referralCode = {
  code: text('Referral code in upper case'),
  owner_wallet: address('Owner of the code'),
  created_at: iso('Time of registration'),
}
export type ReferralCode = ObjectOf<typeof referralCode>

const referredWallet = address('The referred wallet')
const binding = {
  referred_wallet: referredWallet,
  referrer_wallet: address('Owner of the code that the wallet used'),
}

const referred = object({
  referred_wallet: referredWallet,
  volume_usd: decimal('Underlying value of all fills of the wallet so far, in USD'),
})

export const referralsReads = {
  'GET /referrals/binding': walletRead({
    group: 'Referrals',
    summary: 'Returns the referrer of a wallet',
    answeredBy: 'history',
    answer: bare({
      ...binding,
      referrer_wallet: nullable(binding.referrer_wallet, 'Referrer of the wallet; null: none'),
    }),
  }),
  'GET /referrals/code': walletRead({
    group: 'Referrals',
    summary: 'Returns the referral code of a wallet, or null if it has none',
    answeredBy: 'history',
    answer: bareOrNull(referralCode),
  }),
  'GET /referrals/code/': read({
    group: 'Referrals',
    summary: 'Returns a referral code with its owner',
    answeredBy: 'history',
    pathId: 'Referral code, not case-sensitive',
    errors: [Result.NotFound],
    answer: bare(referralCode),
  }),
  'GET /referrals/referred': walletRead({
    group: 'Referrals',
    summary: 'Returns the wallets that a wallet referred, with their volumes',
    description: 'Newest referral first.',
    answeredBy: 'history',
    query: { ...param.page(100, 50) },
    answer: bare({
      referrer_wallet: address('The requested wallet'),
      data: list(referred, 'Referred wallets'),
      pagination,
    }),
  }),
}

const code = body.referralCode(
  `Referral code: ${referralCodeBytesMin} to ${referralCodeBytesMax} characters of A-Z, 0-9, _ and -. After ` +
    `the signature check, the venue trims spaces and converts to upper case`,
)

export const referralsWrites = {
  'POST /referrals/code': accountWrite({
    group: 'Referrals',
    summary: 'Registers a referral code for the wallet',
    description: 'A wallet can register one code and cannot change it.',
    action: 'CreateReferralCode',
    body: { wallet: body.wallet('Wallet that owns the code'), code },
    example: { code: 'DESK-1' },
    answer: bare(referralCode),
  }),
  'POST /referrals/set-referrer': accountWrite({
    group: 'Referrals',
    summary: 'Sets the referrer of the wallet',
    description: 'The choice is permanent. The referrer must own the code.',
    action: 'SetReferrer',
    body: {
      wallet: body.wallet('The referred wallet'),
      code: body.unsigned(code),
      referrer: body.wallet(
        'Owner of the code; neither the wallet itself nor a wallet that it referred',
      ),
    },
    errors: [Result.NotFound],
    example: { code: 'DESK-1', referrer: '0x89abcdef0123456789abcdef0123456789abcdef' },
    answer: bare(binding),
  }),
}
