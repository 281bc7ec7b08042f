import { checkSurface, surfaceGuardTexts } from '../../engine/pricing/surface.js'
import {
  competitionDescriptionBytesMax,
  competitionNameBytesMax,
  competitionRulesBytesMax,
  competitionUrlBytesMax,
  depositIdBytesMax,
  indexEntriesMax,
  microsPerUsd,
  surfacePointsMax,
} from '../../schemas/bounds.js'
import { formatMicros } from '../../schemas/decimal.js'
import {
  BuilderStatus,
  builderStatusNames,
  ClockChoice,
  CompetitionMetric,
  clockChoiceNames,
  competitionMetricNames,
  type HaltMode,
  haltModeNames,
  neverMillis,
  ProviderStatus,
  Right,
  tierInputs,
  tierNames,
  tiersOfInputs,
  type WithdrawalVerdict,
  withdrawalVerdictNames,
} from '../../schemas/domain.js'
import { expirySecondsMax } from '../../schemas/expiry-text.js'
import {
  AcceptClockCommand,
  CommandType,
  DepositCommand,
  JudgeUsernameCommand,
  JudgeWithdrawalCommand,
  ListInstrumentCommand,
  SetBuilderCommand,
  SetHaltCommand,
  SetMaxIndexCommand,
  SetProviderCommand,
  SetTierCommand,
  SettlementPriceCommand,
  SetWalletStopCommand,
} from '../../schemas/generated/commands.js'
import {
  type Done,
  type OperatorAnswer,
  type OperatorWriteKey,
  providerStatuses,
  verdicts,
} from '../../schemas/interface/operator.js'
import { SurfaceKind, UsernameVerdict } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { formatSymbol } from '../../schemas/symbol.js'
import { formatAddress } from '../../schemas/wallet.js'
import { Fault } from '../wire/fault.js'
import { writeKey } from '../wire/instrument-key.js'
import { invalidField, invalidParameter, type JsonObject } from '../wire/request-fields.js'
import { wireIdOf } from '../wire/wire-ids.js'
import { about, choice, type Fields, optional, username, uuid, type Values } from './body-field.js'
import {
  commandOf,
  competitionCommand,
  indexCommand,
  type OperatorCommand,
  surfaceCommand,
} from './operator-commands.js'
import {
  address,
  amount,
  choices,
  instrumentSymbol,
  items,
  label,
  number,
  object,
  price,
  readBody,
  underlyingName,
  unless,
  webAddress,
  wholeNumber,
  writing,
} from './operator-fields.js'
import {
  expiry,
  listing,
  millisOf,
  optionTerms,
  perpTerms,
  type RequestContext,
  seconds,
  tradingMode,
} from './operator-listings.js'
import type { OperatorOutcome } from './operator-port.js'

/** Command of a valid body, and the data of its answer. */
export interface OperatorRequest<Data = object> {
  readonly command: OperatorCommand
  readonly describe: (outcome: OperatorOutcome) => Data
  /** Values that the text of a failure names and the engine does not know. */
  readonly valuesOf?: (outcome: OperatorOutcome) => Readonly<Record<string, string>>
  /** Texts of failures that replace those of the table of results. */
  readonly refusals?: Readonly<Partial<Record<Result, string>>>
}

/** The command of a write: the fields of its body, and the request that they make. */
export interface Operation<F extends Fields = Fields, Data = object> {
  readonly fields: F
  request(values: Values<F>, context: RequestContext): OperatorRequest<Data> | Fault
}

/** Decision on a pending request. */
export interface ApprovalRow {
  readonly fields: typeof approvalFields
  readonly isApproval: true
}

export type OperatorEndpoint = Operation | ApprovalRow

const approvalKey = 'POST /operator/approvals'
type CommandKey = Exclude<OperatorWriteKey, typeof approvalKey>
/** Data of an answer, without the fields of every answer of a command. */
type DataOfCommand<Key extends CommandKey> = Omit<OperatorAnswer<Key>, keyof Done>
type Commands = {
  // biome-ignore lint/suspicious/noExplicitAny: a table holds fields of every type
  readonly [Key in CommandKey]: Operation<any, DataOfCommand<Key>>
}

/** Statuses from `BuilderStatus.Active` on. */
const listedStatuses = builderStatusNames.slice(BuilderStatus.Active)

const wallet = about('Wallet to change', address)
const underlying = about('Name of the underlying', underlyingName)
const symbol = about(
  'Symbol: `UNDERLYING-YYYYMMDD-STRIKE-C` or `-P` for an option, where the date may also be `30JUN26`; ' +
    '`UNDERLYING-PERP` for a perp',
  instrumentSymbol,
)
const deposit_id = about(
  `Id of the deposit, at most ${depositIdBytesMax} printable ASCII characters; the venue credits each id once`,
  optional(label(depositIdBytesMax), ''),
)
const usd = about(
  `Amount in USD: above 0, with at most ${Math.log10(microsPerUsd)} decimals`,
  amount,
)
const observation = {
  underlying,
  price: about('Index price in USD', price),
  timestamp: about(
    'Time of the observation in Unix milliseconds; absent: now',
    optional(wholeNumber(0, expirySecondsMax * 1000), null),
  ),
}
const svi = object({
  a: about('Level of total variance', number),
  b: about('Slope of both wings', number),
  rho: about('Skew, between -1 and 1', number),
  m: about('Log-moneyness of the minimum', number),
  s: about('Curvature at the minimum', number),
})
const point = {
  strike: about('Strike price in USD', number),
  iv: about('Implied volatility as a fraction, such as 0.55', number),
}
const points = items(point, 0, surfacePointsMax)
const tierFields = { wallet, tier: about('Tier of the wallet', choice(tierInputs)) }
const tier = operation(tierFields, ({ wallet, tier: place }) => {
  const given = tiersOfInputs[place]!
  return {
    command: commandOf(SetTierCommand, { wallet, tier: given }, CommandType.SetTier),
    describe: () => ({ wallet: formatAddress(wallet, 0), tier: tierNames[given] }),
  }
})

const verdict = about('Decision', choice(verdicts))
const approvalFields = {
  approval_id: about('Value of approval_id in the 202 answer or in GET /operator/approvals', uuid),
  verdict,
}

/** Commands of the writes, by method and path. */
const commands: Commands = {
  'POST /operator/deposits': operation(
    { wallet, amount: usd, deposit_id },
    ({ wallet, amount: micros, deposit_id }) => ({
      command: credit(CommandType.Deposit, micros, deposit_id, wallet),
      describe: ({ changed }) => ({
        ...{ ...credited(changed, micros, deposit_id), wallet: formatAddress(wallet, 0) },
      }),
    }),
  ),
  'POST /operator/insurance-fund': operation(
    { amount: usd, deposit_id },
    ({ amount: micros, deposit_id }) => ({
      command: credit(CommandType.FundInsurance, micros, deposit_id),
      describe: ({ changed }) => credited(changed, micros, deposit_id),
    }),
  ),
  'POST /operator/settlement-prices': operation(
    {
      underlying,
      expiry,
      price: about('Settlement price of the underlying in USD', price),
    },
    ({ underlying, price: micros, ...given }, context) => {
      const expiryMillis = millisOf(given.expiry, underlying, context)
      return {
        command: commandOf(SettlementPriceCommand, {
          ...{ underlyingText: underlying, expiryMillis, priceMicros: micros },
        }),
        valuesOf: () => ({ underlying }),
        describe: ({ changed }) => ({
          result: changed ? 'SETTLEMENT_PRICE_SET' : 'SETTLEMENT_PRICE_ALREADY_SET',
          changed,
          underlying,
          expiry: expiryMillis / 1000,
          price: formatMicros(micros),
        }),
      }
    },
  ),
  'POST /operator/instruments': operation(
    {
      symbol,
      expiry: about(
        'Expiry in Unix seconds; absent: the expiry time of day of the underlying',
        optional(seconds, null),
      ),
      trading_mode: optional(tradingMode, null),
    },
    ({ symbol, expiry: given, trading_mode }, context) => {
      const terms =
        symbol.right === Right.None
          ? perpTerms(given, trading_mode)
          : optionTerms(symbol, given, trading_mode, context)
      return terms instanceof Fault ? terms : listing(symbol, terms)
    },
  ),
  'DELETE /operator/instruments': operation({ symbol }, ({ symbol }) => ({
    command: commandOf(
      ListInstrumentCommand,
      ({ key }) => writeKey(key, symbol),
      CommandType.DeleteInstrument,
    ),
    describe: ({ changed, instrument }) => ({
      result: 'MARKET_DELETED',
      changed,
      symbol: formatSymbol(symbol),
      instrument_id: wireIdOf(instrument),
    }),
  })),
  // The engine accepts timestamps of up to a second ahead of its own time. One further ahead fails the whole list.
  'POST /operator/index-prices': operation(
    {
      prices: about(`1 to ${indexEntriesMax} observations`, items(observation, 1, indexEntriesMax)),
    },
    ({ prices }, context) => {
      const observations = prices.map(({ underlying, price: priceMicros, timestamp }) => ({
        ...{ underlying, priceMicros, observedMillis: timestamp ?? context.nowMillis() },
      }))
      return {
        command: indexCommand(observations),
        valuesOf: ({ details }) => ({
          underlying: observations[details['entry'] ?? 0]?.underlying ?? '',
        }),
        describe: ({ changed }) => ({
          changed,
          prices: observations.map(({ underlying, priceMicros, observedMillis }) => ({
            underlying,
            price: formatMicros(priceMicros),
            timestamp: observedMillis,
          })),
        }),
      }
    },
  ),
  'POST /operator/vol-surfaces': operation(
    {
      underlying,
      expiry,
      points: about(
        `Up to ${surfacePointsMax} points of the smile, interpolated linearly; excludes svi`,
        unless(
          points,
          'svi',
          invalidParameter('svi', 'pass either points or svi, not both'),
          new Fault(Result.MissingField, { name: 'points' }),
        ),
      ),
      svi: about(
        'SVI parameters of total variance a + b (rho (k - m) + sqrt((k - m)^2 + s^2)); excludes points',
        optional(svi, null),
      ),
    },
    ({ underlying, ...given }, context) => {
      const expiryMillis = millisOf(given.expiry, underlying, context)
      const name = given.svi === null ? 'points' : 'svi'
      const kind = given.svi === null ? SurfaceKind.Points : SurfaceKind.Svi
      const values = Float64Array.from(
        given.svi === null
          ? given.points!.flatMap(({ strike, iv }) => [strike, iv])
          : Object.values(given.svi),
      )
      const guard = checkSurface(kind, values)
      if (guard !== null) return invalidField(name, `${guard}: ${surfaceGuardTexts[guard]}`)
      return {
        command: surfaceCommand(underlying, expiryMillis, kind, values),
        describe: () => ({ underlying, expiry: expiryMillis / 1000, kind: name }),
      }
    },
  ),
  'POST /operator/tiers': tier,
  'POST /user-tier': tier,
  // The whole market needs a scope of its own, so that an omitted underlying halts nothing.
  'POST /operator/halts': operation(
    {
      underlying: unless(
        underlying,
        'scope',
        invalidParameter('scope', 'pass either underlying or scope, not both'),
        new Fault(Result.MissingField, { name: 'underlying (or "scope": "all")' }),
      ),
      scope: about(
        '`all` for the whole market; excludes underlying',
        optional(choice(['all']), null),
      ),
      mode: about(
        '`open`: normal trading; `cancel_only`: cancels only; `halted`: cancels only, and liquidations pause',
        choice(haltModeNames),
      ),
    },
    ({ underlying, mode }) => ({
      command: commandOf(SetHaltCommand, {
        underlyingText: underlying ?? '',
        mode: mode as HaltMode,
        stands: underlying === null ? 1 : 0,
      }),
      describe: () => ({ underlying, mode: haltModeNames[mode] }),
    }),
  ),
  // Only the engine stops a wallet; this resumes it.
  'POST /operator/wallet-halts': operation(
    { wallet, mode: about('`open`: the wallet may trade again', choice(['open'])) },
    ({ wallet }) => ({
      command: commandOf(SetWalletStopCommand, { wallet, stopped: 0 }),
      describe: ({ changed }) => ({ changed, wallet: formatAddress(wallet, 0), mode: 'open' }),
      refusals: { [Result.NotFound]: 'The wallet has no account' },
    }),
  ),
  'POST /operator/clock': operation(
    {
      accept: about(
        'Time to continue with: `wall`: the machine clock; `engine`: engine time',
        choice(clockChoiceNames),
      ),
    },
    ({ accept }, context) => {
      const taken = accept as ClockChoice
      const wallMillis = context.wallMillis()
      return {
        command: commandOf(AcceptClockCommand, { choice: taken, wallMillis }),
        describe: ({ changed, timeMillis }) => ({
          result: changed ? 'CLOCK_ACCEPTED' : 'CLOCK_NOT_IN_ALARM',
          changed,
          accept: clockChoiceNames[taken],
          clock: wallMillis,
          // Engine time never goes back: it waits for an earlier clock.
          waits_ms:
            changed && taken === ClockChoice.Wall
              ? Math.max(0, Math.ceil(timeMillis - wallMillis))
              : 0,
        }),
      }
    },
  ),
  'POST /operator/max-index': operation(
    {
      underlying,
      max_index: about('New highest index price in USD', price),
    },
    ({ underlying, max_index }) => ({
      command: commandOf(SetMaxIndexCommand, {
        ...{ underlyingText: underlying, maxIndexMicros: max_index },
      }),
      describe: ({ changed }) => ({ changed, underlying, max_index: formatMicros(max_index) }),
    }),
  ),
  'POST /operator/builders': operation(
    {
      builder: about('Address of the builder', address),
      status: about('`active` if the builder earns fees', choice(listedStatuses)),
    },
    ({ builder, status: place }) => {
      const status = (BuilderStatus.Active + place) as BuilderStatus
      return {
        command: commandOf(SetBuilderCommand, { wallet: builder, status }),
        describe: ({ changed }) => ({
          changed,
          builder: formatAddress(builder, 0),
          status: builderStatusNames[status],
        }),
      }
    },
  ),
  'POST /operator/competitions': operation(
    {
      id: about(
        'Id of the competition to change; absent: create one',
        optional(wholeNumber(1, Number.MAX_SAFE_INTEGER), 0),
      ),
      name: about('Name of the competition', writing(competitionNameBytesMax)),
      description: about(
        'Description for participants; absent: none',
        optional(writing(competitionDescriptionBytesMax), null),
      ),
      rules_url: about(
        'URL of the rules; absent: none',
        optional(webAddress(competitionUrlBytesMax), null),
      ),
      rules_content: about(
        'Text of the rules; absent: none',
        optional(writing(competitionRulesBytesMax), null),
      ),
      win_conditions: about(
        'Metrics that rank wallets, the primary one first',
        choices(competitionMetricNames),
      ),
      start_ts_ms: about('Start in Unix milliseconds, inclusive', wholeNumber(1, neverMillis - 1)),
      end_ts_ms: about('End in Unix milliseconds, exclusive', wholeNumber(1, neverMillis - 1)),
    },
    ({ id, name, description, start_ts_ms, end_ts_ms, win_conditions, ...rules }) => {
      if (end_ts_ms <= start_ts_ms) return invalidField('end_ts_ms', 'must be after start_ts_ms')
      const metrics = win_conditions.map(
        (place) => (CompetitionMetric.Pnl + place) as CompetitionMetric,
      )
      return {
        command: competitionCommand({
          ...{ id, name, startMillis: start_ts_ms, endMillis: end_ts_ms, winConditions: metrics },
          description: description ?? '',
          rulesUrl: rules.rules_url ?? '',
          rulesContent: rules.rules_content ?? '',
        }),
        refusals: {
          [Result.NotFound]: `Competition ${id} does not exist`,
          [Result.Conflict]:
            'Conflict: the start of a running competition and all fields of an ended one are final',
          [Result.LimitExceeded]: 'Limit exceeded: no more competitions can be created',
          [Result.ValueRefused]: 'Invalid end_ts_ms: must be in the future',
        },
        describe: ({ changed, competitionId }) => ({
          result: changed ? 'COMPETITION_SET' : 'COMPETITION_ALREADY_SET',
          ...{ changed, id: competitionId, name, start_ts_ms, end_ts_ms },
          win_conditions: win_conditions.map((place) => competitionMetricNames[place]!),
        }),
      }
    },
  ),
  'POST /operator/withdrawals': operation(
    {
      directive_id: about('Id of the withdrawal', uuid),
      verdict: about('Decision', choice(withdrawalVerdictNames)),
    },
    ({ directive_id, verdict }) => {
      const id = Buffer.from(directive_id.replaceAll('-', ''), 'hex')
      return {
        command: commandOf(JudgeWithdrawalCommand, {
          ...{ directiveId: id, verdict: verdict as WithdrawalVerdict },
        }),
        describe: ({ changed }) => ({
          changed,
          directive_id: directive_id.toLowerCase(),
          verdict: withdrawalVerdictNames[verdict]!,
        }),
      }
    },
  ),
  'POST /operator/quote-providers': operation(
    {
      wallet,
      status: about('`active` if the wallet may quote', choice(providerStatuses)),
    },
    ({ wallet, status: place }) => {
      const status = (ProviderStatus.Active + place) as ProviderStatus
      return {
        command: commandOf(SetProviderCommand, { wallet, status }),
        describe: ({ changed }) => ({
          changed,
          wallet: formatAddress(wallet, 0),
          status: providerStatuses[place]!,
        }),
      }
    },
  ),
  'POST /operator/usernames': operation(
    {
      wallet,
      verdict,
      username: about(
        'Username that the verdict is for, so that it cannot apply to a newer request',
        optional(username, ''),
      ),
    },
    ({ wallet, verdict: place, username: name }) => {
      const verdict = (UsernameVerdict.Approved + place) as UsernameVerdict
      return {
        command: commandOf(JudgeUsernameCommand, { wallet, verdict, usernameText: name }),
        refusals: {
          [Result.NotFound]: 'The wallet has no pending username request',
          [Result.Conflict]: 'Conflict: the wallet has since requested another username',
        },
        describe: ({ changed }) => ({
          changed,
          wallet: formatAddress(wallet, 0),
          verdict: verdicts[place]!,
        }),
      }
    },
  ),
}

/** Commands and decisions of the writes, by method and path. */
export const operatorEndpoints: Readonly<Record<string, OperatorEndpoint>> = {
  ...commands,
  [approvalKey]: { fields: approvalFields, isApproval: true },
}

/** Reads the request of a body. */
export function readOperation(
  { fields, request }: Operation,
  body: JsonObject,
  context: RequestContext,
): OperatorRequest | Fault {
  const values = readBody(fields, body)
  return values instanceof Fault ? values : request(values, context)
}

// Function declarations, because the table above is built while this file loads.

function operation<const F extends Fields, Data>(
  fields: F,
  request: (values: Values<F>, context: RequestContext) => OperatorRequest<Data> | Fault,
): Operation<F, Data> {
  return { fields, request }
}

function credit(
  type: typeof CommandType.Deposit | typeof CommandType.FundInsurance,
  amountMicros: number,
  depositIdText: string,
  wallet?: Uint8Array,
) {
  const content = { amountMicros, depositIdText, ...(wallet === undefined ? {} : { wallet }) }
  return commandOf(DepositCommand, content, type)
}

function credited(
  changed: boolean,
  micros: number,
  depositId: string,
): DataOfCommand<'POST /operator/insurance-fund'> {
  return {
    result: changed ? 'DEPOSIT_CREDITED' : 'DEPOSIT_ALREADY_CREDITED',
    ...{ changed, amount: formatMicros(micros) },
    deposit_id: depositId === '' ? null : depositId,
  }
}
