import type { Mutant } from './mutant.js'

export const marginMutants: readonly Mutant[] = [
  {
    file: 'engine/risk/working-orders.ts',
    fault:
      'an exposure is given back between the end of its last order and the fill that has ended it',
    original: 'if (!isFilled)',
    replacement: 'if (true)',
  },
  {
    file: 'engine/core/replica.ts',
    fault: 'batches of earlier engine versions are replayed by the rules of now',
    original: 'core.state.rulesVersion = batch.engineVersion',
    replacement: '',
  },
  {
    file: 'engine/risk/judged-order.ts',
    fault: 'a long-only wallet cannot sell the whole of what it holds',
    original: 'request.sizeLots > longLots - this.workingLots(Side.Sell)',
    replacement: 'request.sizeLots >= longLots - this.workingLots(Side.Sell)',
  },
  {
    file: 'engine/risk/order-admission.ts',
    fault: 'equity that is exactly what is required is not enough',
    original: 'slackMicros >= 0 && !isNaked',
    replacement: 'slackMicros > 0 && !isNaked',
  },
  {
    file: 'engine/risk/judged-order.ts',
    fault: 'a replaced order keeps its premium reserved',
    original: 'return sums.premiumMicros - this.#gonePremium',
    replacement: 'return sums.premiumMicros',
  },
  {
    file: 'engine/risk/exemption.ts',
    fault: 'an order that uncovers shorts passes as reducing risk',
    original: 'isHarmless = lots <= this.#uncoveredLots[state]',
    replacement: 'isHarmless = true',
  },
  {
    file: 'engine/risk/exemption.ts',
    fault: 'an order that closes passes by what becomes of the positions, whatever works beside it',
    original: 'this.#margin.sum(account, this.#view, sums)',
    replacement: 'this.#margin.sum(account, this.#positions, sums)',
  },
  {
    file: 'engine/risk/exemption.ts',
    fault: 'an order that closes passes whatever it gives away',
    original: 'isHarmless && this.#after.reaches(this.#before)',
    replacement: 'isHarmless',
  },
  {
    file: 'engine/risk/exemption.ts',
    fault: 'an exempt order may take the initial margin of other working orders away',
    original: 'this.imMicros >= Math.min(0, before.imMicros) &&',
    replacement: 'true &&',
  },
  {
    file: 'engine/risk/exemption.ts',
    fault: 'an exempt order may give away more than there is',
    original: 'this.freeMicros >= Math.min(0, before.freeMicros)',
    replacement: 'true',
  },
  {
    file: 'engine/risk/exemption.ts',
    fault: 'a wallet below maintenance margin may be brought nearer to nothing',
    original: 'if (isHarmless && this.#before.mmMicros < 0)',
    replacement: 'if (false)',
  },
  {
    file: 'engine/risk/exemption.ts',
    fault: 'an order is judged as if the other exempt orders were never filled',
    original: 'const count = states.count',
    replacement: 'const count = 1',
  },
  {
    file: 'engine/risk/order-admission.ts',
    fault: 'an ordinary order is judged as if the exempt ones were never filled',
    original: 'this.#lookAt(order, states.cashMicros)',
    replacement: 'state === 0 && this.#lookAt(order, states.cashMicros)',
  },
  {
    file: 'engine/risk/wallet-margin.ts',
    fault: 'cash that exempt buys will cost can be withdrawn',
    original: 'cash - sums.premiumMicros - this.#states.buysMicros',
    replacement: 'cash - sums.premiumMicros',
  },
  {
    file: 'engine/risk/wallet-margin.ts',
    fault: 'a kept requirement outlives the index price that it stands on',
    original: 'spotMicros !== buckets.keptSpotMicros[bucket]',
    replacement: 'false',
  },
  {
    file: 'engine/risk/wallet-margin.ts',
    fault: 'premium set aside can be withdrawn',
    original: 'const spared = cash - sums.premiumMicros',
    replacement: 'const spared = cash',
  },
  {
    file: 'engine/risk/defined-risk-model.ts',
    fault: 'the worst payoff is rounded in favour of the wallet',
    original: 'Math.min(worst, micros + Math.floor(remainder / lotsPerContract))',
    replacement: 'Math.min(worst, micros + Math.ceil(remainder / lotsPerContract))',
  },
  {
    file: 'engine/risk/portfolio-model.ts',
    fault: 'the overlay is added to the floor alone',
    original: 'Math.max(scanningMicros, floorMicros) + overlayMicros',
    replacement: 'Math.max(scanningMicros, floorMicros + overlayMicros)',
  },
  {
    file: 'engine/risk/perp-margin.ts',
    fault: 'a perp is margined by both sides of its orders at once',
    original: 'Math.abs(position - sells)',
    replacement: 'Math.abs(position + buys - sells)',
  },
  {
    file: 'engine/risk/fill.ts',
    fault: 'a perp is paid for like an option',
    original: 'ledger.instruments.isPerp(instrument)',
    replacement: 'ledger.instruments.isPerp(-1)',
  },
  {
    file: 'engine/core/account/decide-bid.ts',
    fault: 'what a perp was entered for is shared in an auction as if it had been paid',
    original: 'costShareMicros(costMicros[exposure], move.sizeLots, wholeLots)',
    replacement: '0',
  },
  {
    file: 'engine/risk/fill.ts',
    fault: 'what an opening fill costs is taken off the cost basis',
    original: 'cost - closedCost - (flowMicros - closedFlow)',
    replacement: 'cost - closedCost + (flowMicros - closedFlow)',
  },
  {
    file: 'engine/risk/order-admission.ts',
    fault: 'the order’s own instrument is named where another one lacks its mark',
    original: 'order.needsMark() && (order.isPerp || order.sellsBeyondLong())',
    replacement: 'order.needsMark()',
  },
  {
    file: 'engine/pricing/price-bands.ts',
    fault: 'a band is not kept away from the mark',
    original: 'Math.min(microsOfUsd(least) - room, markMicros - halfWidth)',
    replacement: 'microsOfUsd(least) - room',
  },
]
