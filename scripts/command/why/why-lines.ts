import type { OrderStages, OrderWhy } from '../../../schemas/interface/orders.js'
import { tableLines, timeText } from '../inspect/view.js'
import type { Afterwards } from './afterwards.js'
import type { WhyValue } from './why-order.js'
import type { CheckValue, MarginValue } from './why-value.js'

const marks: Readonly<Record<CheckValue['verdict'], string>> = {
  passed: 'passed',
  exempt: 'passed, reduces risk',
  failed: 'FAILED  <---',
  would_pass: 'would have passed',
  would_fail: 'would also have failed',
  not_reached: 'not reached',
}

/** Formats the admission of an order for people. */
export function whyLines(value: WhyValue): readonly string[] {
  const { afterwards, batch, checks, decision, margin, needed, order, stages, stagesNote } = value
  return [
    ...orderLines(value),
    `batch ${batch.number} of ${timeText(batch.time)}, ${placeText(batch)} in ${batch.segment}`,
    '',
    decisionText(decision, order),
    '',
    ...(checks.length === 0 ? [] : [...checkLines(checks), '']),
    ...(margin === null ? [] : [...marginLines(margin), '']),
    ...(needed === null ? [] : neededLines(needed)),
    ...(afterwards === null ? [] : [...afterwardsLines(afterwards), '']),
    'commands of its batch (position, action, wallet, result):',
    ...batch.neighbours.map(
      ({ action, isOrder, place, result, wallet }) =>
        `  ${isOrder ? '>' : ' '} ${place}  ${action}  ${wallet}  ${result ?? '-'}`,
    ),
    '',
    stagesText(stages, stagesNote),
    ...value.notes,
  ]
}

/** Formats a venue's answer about an order that is not in the journal, because a gateway failed the request. */
export function venueLines({ check, reason, stages, status, wallet }: OrderWhy): readonly string[] {
  const why = reason === null ? '' : ` (${reason})`
  return [
    `the order is not in the journal; the venue reports: ${status}${why}, wallet ${wallet}`,
    ...(check === null ? [] : [`check: ${JSON.stringify(check)}`]),
    stagesText(stages, null),
  ]
}

function orderLines({ batch, order }: WhyValue): readonly string[] {
  const { action, nonce, orderId, price, side, signer, size, symbol, tif, wallet } = order
  const id = orderId === null ? 'no order' : `order ${orderId}`
  const flags = [
    ...(order.reduceOnly ? ['reduce-only'] : []),
    ...(order.mmpEnabled ? ['market-maker protection'] : []),
    ...(order.replaces === null ? [] : [`replaces ${order.replaces}`]),
    ...(order.clientId === null ? [] : [`client id ${order.clientId}`]),
  ]
  const terms = [`${side} ${size} ${symbol} at ${price}`, tif, order.route, ...flags].join(', ')
  const by = signer === wallet ? 'its wallet' : signer
  const signed = batch.place === null ? 'unsigned' : `nonce ${nonce}, signed by ${by}`
  return [`${id}: ${action} ${terms}`, `of ${wallet}, ${signed}`]
}

function placeText({ commands, place }: WhyValue['batch']): string {
  return place === null
    ? `in addition to ${commands} commands`
    : `command ${place + 1} of ${commands}`
}

function decisionText(decision: WhyValue['decision'], { orderId }: WhyValue['order']): string {
  const { code, failedCheck, reducesRisk, reason, status, timesJudged } = decision
  const again = timesJudged > 1 ? `, checked ${timesJudged} times (the last check is shown)` : ''
  if (status === 'repeat') return 'duplicate of an accepted action: same answer as the first time'
  if (status === 'accepted') {
    const exempt = reducesRisk ? ', as a risk-reducing order below initial margin' : ''
    return `accepted${exempt}${orderId === null ? '' : `, as order ${orderId}`}${again}`
  }
  return `rejected by the check ${failedCheck}: ${code}${again}\n  ${reason}`
}

function checkLines(checks: readonly CheckValue[]): readonly string[] {
  const rows = checks.map(({ asks, check, code, has, limit, needs, unit, verdict }) => {
    const needed = needs === null ? '' : `at least ${needs}`
    const most = limit === null ? '' : `at most ${limit}`
    const numbers =
      has === null ? '' : unit === 'usd' || unit === 'contracts' ? `${has} ${unit}` : has
    const failed = verdict.endsWith('fail') && code !== null ? ` (${code})` : ''
    return [check, asks, numbers, needed || most, `${marks[verdict]}${failed}`]
  })
  return tableLines(['check', 'condition', 'actual', 'required', 'result'], rows)
}

function marginLines(margin: MarginValue): readonly string[] {
  const { amounts, binding, model, parts, scenario } = margin
  const worst =
    scenario === null
      ? 'no scenarios in this model'
      : `worst scenario ${scenario.id} (${shockText(scenario)}): loss ${scenario.loss} x ${scenario.weight}`
  const terms = Object.entries(parts).filter(([, amount]) => Number(amount) !== 0)
  return [
    `margin (${model}): bound by ${binding}; ${worst}`,
    `  required ${amounts['required']} with the order, ${amounts['consumedIm']} without it; equity ` +
      `${amounts['equity']}`,
    ...terms.map(([name, amount]) => `  ${name} ${amount}`),
    ...(margin.riskReducingStates > 1
      ? [
          `  required is the worst of ${margin.riskReducingStates} states of the risk-reducing orders`,
        ]
      : []),
  ]
}

function shockText(scenario: NonNullable<MarginValue['scenario']>): string {
  const { kurtosis, skew, spotShift, volShift } = scenario
  const shocks = { spot: spotShift, volatility: volShift, skew, kurtosis }
  const moved = Object.entries(shocks).filter(([, shift]) => shift !== 0)
  const texts = moved.map(([name, shift]) => `${name} ${shift > 0 ? '+' : ''}${percent(shift)} %`)
  return texts.length === 0 ? 'no shock' : texts.join(', ')
}

function percent(share: number): number {
  return Number((share * 100).toFixed(4))
}

function neededLines({ deposit, size, steps }: NonNullable<WhyValue['needed']>): readonly string[] {
  return [
    'to pass, the order would have needed:',
    ...steps.map((step) => `  ${step}`),
    ...(deposit === null ? [] : [`  (a deposit of ${deposit} USD alone would have been enough)`]),
    ...(size === null ? [] : [`  (a size of ${size} would have passed)`]),
    '',
  ]
}

function afterwardsLines(afterwards: Afterwards): readonly string[] {
  const { averagePrice, endBatch, fees, fillCount, filled, lastBatch, reason, status } = afterwards
  const { endTime, steps, waitedForQuotes: waited } = afterwards
  const filledText =
    averagePrice === null ? 'nothing filled' : `${filled} filled at ${averagePrice}`
  const ended = endBatch === null ? '' : ` in batch ${endBatch} of ${timeText(endTime ?? 0)}`
  const why = reason === null ? '' : ` (${reason})`
  const now =
    status === 'WORKING'
      ? `still working at the end of the journal, batch ${lastBatch}`
      : `${status}${why}${ended}`
  return [
    `result: ${now}; ${filledText} in ${fillCount} fills, fees ${fees}`,
    ...(waited === null
      ? []
      : [
          `  waited for quotes of ${waited.askedCount} providers, until ${timeText(waited.untilMillis)}`,
        ]),
    ...steps.map(({ batch, time, what }) => `  ${timeText(time)} batch ${batch}  ${what}`),
  ]
}

function stagesText(stages: OrderStages | null, note: string | null): string {
  if (stages === null) return `stage times: none (${note ?? 'the venue has no measurement'})`
  const texts = Object.entries(stages).map(([name, micros]) => {
    return `${name.replace(/_micros$/, '')} ${micros === null ? '-' : `${micros} us`}`
  })
  return `stage times: ${texts.join(', ')}`
}
