import { checkSurface, surfaceGuardTexts } from '../../engine/pricing/surface.js'
import {
  competitionDescriptionBytesMax,
  competitionNameBytesMax,
  competitionRulesBytesMax,
  competitionUrlBytesMax,
  depositIdBytesMax,
  indexEntriesMax,
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
import { type OperatorScope, providerStatuses } from '../../schemas/interface/operator.js'
import { cursor, integer, type Parameters, text } from '../../schemas/interface/parameter.js'
import { SurfaceKind, UsernameVerdict } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { formatSymbol } from '../../schemas/symbol.js'
import { formatAddress } from '../../schemas/wallet.js'
import { Fault } from '../wire/fault.js'
import { writeKey } from '../wire/instrument-key.js'
import { invalidField, invalidParameter, type JsonObject } from '../wire/request-fields.js'
import { wireIdOf } from '../wire/wire-ids.js'
import { choice, type Fields, optional, username, uuid, type Values } from './body-field.js'
import { liquidationListEndpoint } from './liquidation-list.js'
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
import { pendingNamesEndpoint } from './pending-names.js'

/** What a valid body asks for, and what its answer says beside `{ok, seq}`. */
export interface OperatorRequest {
  readonly command: OperatorCommand
  readonly describe: (outcome: OperatorOutcome) => object
  /** Values that the text of a refusal names and the engine does not know. */
  readonly valuesOf?: (outcome: OperatorOutcome) => Readonly<Record<string, string>>
  /** What a refusal means here, where the text of its result says it of anything. */
  readonly refusals?: Readonly<Partial<Record<Result, string>>>
}

/** What every row of the table says: the scope that its identity has to have; of a read null: none in particular. */
interface Scoped<Scope = OperatorScope> {
  readonly scope: Scope
}

/** A row of a command: the fields of its body, and what they ask for. */
export interface Operation<F extends Fields = Fields> extends Scoped {
  readonly fields: F
  request(values: Values<F>, context: RequestContext): OperatorRequest | Fault
}

/** A row that tells something: its parameters. */
export interface OperatorRead extends Scoped<OperatorScope | null> {
  readonly query: Parameters
}

/** The row of the second word to a request that waits. */
export interface ApprovalRow extends Scoped {
  readonly fields: typeof approvalFields
  readonly isApproval: true
}

export type OperatorEndpoint = Operation | ApprovalRow | OperatorRead

/** From `UsernameVerdict.Approved` on. */
const verdicts = ['approved', 'rejected'] as const
const listedStatuses = builderStatusNames.slice(BuilderStatus.Active)

const deposit_id = optional(label(depositIdBytesMax), '')
const observation = {
  underlying: underlyingName,
  price,
  timestamp: optional(wholeNumber(0, expirySecondsMax * 1000), null),
}
const svi = object({ a: number, b: number, rho: number, m: number, s: number })
const points = items({ strike: number, iv: number }, 0, surfacePointsMax)
const tier = operation(
  'all',
  { wallet: address, tier: choice(tierInputs) },
  ({ wallet, tier: place }) => {
    const given = tiersOfInputs[place]!
    return {
      command: commandOf(SetTierCommand, { wallet, tier: given }, CommandType.SetTier),
      describe: () => ({ wallet: formatAddress(wallet, 0), tier: tierNames[given] }),
    }
  },
)

const approvalFields = { approval_id: uuid, verdict: choice(verdicts) }
export const auditRead = {
  scope: 'read',
  query: {
    identity: text('Actions of this identity'),
    path: text('Actions at this path'),
    limit: integer([1, 200], 50, 'Largest number of rows'),
    cursor,
  },
} as const

/** What a token is needed for, under its method and path. */
export const operatorEndpoints: Readonly<Record<string, OperatorEndpoint>> = {
  'GET /operator/identity': { scope: null, query: {} },
  'GET /operator/state': { scope: 'read', query: {} },
  'GET /operator/quote-providers': { scope: 'read', query: {} },
  'GET /operator/liquidations': { scope: 'read', query: liquidationListEndpoint.query },
  'GET /operator/usernames': { scope: 'read', query: pendingNamesEndpoint.query },
  'GET /operator/audit': auditRead,
  'GET /operator/approvals': { scope: 'read', query: {} },
  'POST /operator/approvals': { scope: 'money', fields: approvalFields, isApproval: true },
  'POST /operator/deposits': operation(
    'money',
    { wallet: address, amount, deposit_id },
    ({ wallet, amount: micros, deposit_id }) => ({
      command: credit(CommandType.Deposit, micros, deposit_id, wallet),
      describe: ({ changed }) => credited(changed, micros, deposit_id, formatAddress(wallet, 0)),
    }),
  ),
  'POST /operator/insurance-fund': operation(
    'money',
    { amount, deposit_id },
    ({ amount: micros, deposit_id }) => ({
      command: credit(CommandType.FundInsurance, micros, deposit_id),
      describe: ({ changed }) => credited(changed, micros, deposit_id),
    }),
  ),
  'POST /operator/settlement-prices': operation(
    'prices',
    { underlying: underlyingName, expiry, price },
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
    'instruments',
    {
      symbol: instrumentSymbol,
      expiry: optional(seconds, null),
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
  'DELETE /operator/instruments': operation(
    'instruments',
    { symbol: instrumentSymbol },
    ({ symbol }) => ({
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
    }),
  ),
  // The engine takes a timestamp of at most a second ahead of its own time; of one further ahead it refuses the whole
  // list.
  'POST /operator/index-prices': operation(
    'prices',
    { prices: items(observation, 1, indexEntriesMax) },
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
    'prices',
    {
      underlying: underlyingName,
      expiry,
      points: unless(
        points,
        'svi',
        invalidParameter('svi', 'give points or svi, not both'),
        new Fault(Result.MissingField, { name: 'points' }),
      ),
      svi: optional(svi, null),
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
  // The public path of the same operation, for clients that only change the port.
  'POST /user-tier': tier,
  // Nobody closes the whole venue by leaving something out.
  'POST /operator/halts': operation(
    'halts',
    {
      underlying: unless(
        underlyingName,
        'scope',
        invalidParameter('scope', 'give underlying or scope, not both'),
        new Fault(Result.MissingField, { name: 'underlying (or "scope": "all")' }),
      ),
      scope: optional(choice(['all']), null),
      mode: choice(haltModeNames),
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
  // The engine alone stops a wallet; this ends it.
  'POST /operator/wallet-halts': operation(
    'halts',
    { wallet: address, mode: choice(['open']) },
    ({ wallet }) => ({
      command: commandOf(SetWalletStopCommand, { wallet, stopped: 0 }),
      describe: ({ changed }) => ({ changed, wallet: formatAddress(wallet, 0), mode: 'open' }),
      refusals: { [Result.NotFound]: 'The wallet has no account' },
    }),
  ),
  // What holds after a step of the clock.
  'POST /operator/clock': operation(
    'halts',
    { accept: choice(clockChoiceNames) },
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
          // Engine time never goes back: it waits for a clock that is behind it.
          waits_ms:
            changed && taken === ClockChoice.Wall
              ? Math.max(0, Math.ceil(timeMillis - wallMillis))
              : 0,
        }),
      }
    },
  ),
  // What the index may rise to; it is never lowered.
  'POST /operator/max-index': operation(
    'instruments',
    { underlying: underlyingName, max_index: price },
    ({ underlying, max_index }) => ({
      command: commandOf(SetMaxIndexCommand, {
        ...{ underlyingText: underlying, maxIndexMicros: max_index },
      }),
      describe: ({ changed }) => ({ changed, underlying, max_index: formatMicros(max_index) }),
    }),
  ),
  // Whether an address earns by the orders that name it.
  'POST /operator/builders': operation(
    'all',
    { builder: address, status: choice(listedStatuses) },
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
  // Creates a competition, or changes the one of this id or, without one, of this name that has not ended.
  'POST /operator/competitions': operation(
    'all',
    {
      id: optional(wholeNumber(1, Number.MAX_SAFE_INTEGER), 0),
      name: writing(competitionNameBytesMax),
      description: optional(writing(competitionDescriptionBytesMax), null),
      rules_url: optional(webAddress(competitionUrlBytesMax), null),
      rules_content: optional(writing(competitionRulesBytesMax), null),
      win_conditions: choices(competitionMetricNames),
      start_ts_ms: wholeNumber(1, neverMillis - 1),
      end_ts_ms: wholeNumber(1, neverMillis - 1),
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
          [Result.NotFound]: `There is no competition ${id}`,
          [Result.Conflict]: 'A competition that has begun keeps its start, an ended one all of it',
          [Result.LimitExceeded]: 'There are as many competitions as there may be',
          [Result.ValueRefused]: 'Invalid end_ts_ms: must lie ahead',
        },
        describe: ({ changed, competitionId }) => ({
          result: changed ? 'COMPETITION_SET' : 'COMPETITION_ALREADY_SET',
          ...{ changed, id: competitionId, name, start_ts_ms, end_ts_ms },
          win_conditions: win_conditions.map((place) => competitionMetricNames[place]!),
        }),
      }
    },
  ),
  // What became of a withdrawal that the rail has given up.
  'POST /operator/withdrawals': operation(
    'money',
    { directive_id: uuid, verdict: choice(withdrawalVerdictNames) },
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
  // Whether a wallet may quote. It gets an account; who is suspended loses its sessions and quotes.
  'POST /operator/quote-providers': operation(
    'all',
    { wallet: address, status: choice(providerStatuses) },
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
  // What a wallet asks to be called. Who names the name judges that one, and none that was asked for since.
  'POST /operator/usernames': operation(
    'all',
    { wallet: address, verdict: choice(verdicts), username: optional(username, '') },
    ({ wallet, verdict: place, username: name }) => {
      const verdict = (UsernameVerdict.Approved + place) as UsernameVerdict
      return {
        command: commandOf(JudgeUsernameCommand, { wallet, verdict, usernameText: name }),
        refusals: {
          [Result.NotFound]: 'The wallet asks for no name',
          [Result.Conflict]: 'The wallet asks for another name by now',
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

/** Reads what a body asks for. */
export function readOperation(
  { fields, request }: Operation,
  body: JsonObject,
  context: RequestContext,
): OperatorRequest | Fault {
  const values = readBody(fields, body)
  return values instanceof Fault ? values : request(values, context)
}

// Function declarations, because the table above is built while this file loads.

function operation<const F extends Fields>(
  scope: OperatorScope,
  fields: F,
  request: (values: Values<F>, context: RequestContext) => OperatorRequest | Fault,
): Operation<F> {
  return { scope, fields, request }
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

function credited(changed: boolean, micros: number, depositId: string, wallet?: string) {
  return {
    result: changed ? 'DEPOSIT_CREDITED' : 'DEPOSIT_ALREADY_CREDITED',
    ...{ changed, wallet, amount: formatMicros(micros) },
    deposit_id: depositId === '' ? null : depositId,
  }
}
