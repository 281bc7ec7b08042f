import type { Mutant } from './mutant.js'

export const marginMutants: readonly Mutant[] = [
  {
    file: 'engine/risk/order-admission.ts',
    fault: 'a long-only wallet cannot sell the whole of what it holds',
    original: 'request.sizeLots > longLots - this.#workingSellLots()',
    replacement: 'request.sizeLots >= longLots - this.#workingSellLots()',
  },
  {
    file: 'engine/risk/order-admission.ts',
    fault: 'equity that is exactly what is required is not enough',
    original: 'equity >= required',
    replacement: 'equity > required',
  },
  {
    file: 'engine/risk/order-admission.ts',
    fault: 'a replaced order keeps its premium reserved',
    original: 'const others = sums.premiumMicros - this.#gonePremium',
    replacement: 'const others = sums.premiumMicros',
  },
  {
    file: 'engine/risk/order-admission.ts',
    fault: 'an order that uncovers shorts passes as reducing risk',
    original: 'after.uncoveredLots > before.uncoveredLots',
    replacement: 'false',
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
    original: 'Math.min(out.available, cash - sums.premiumMicros)',
    replacement: 'Math.min(out.available, cash)',
  },
  {
    file: 'engine/risk/defined-risk-model.ts',
    fault: 'the worst payoff is rounded in favour of the wallet',
    original: 'Math.min(worst, micros + Math.floor(rest / lotsPerContract))',
    replacement: 'Math.min(worst, micros + Math.ceil(rest / lotsPerContract))',
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
    file: 'engine/lifecycle/auction-bid.ts',
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
    original: 'this.#needsMark(request) && (this.#isPerp || this.#sellsBeyondLong(request))',
    replacement: 'this.#needsMark(request)',
  },
  {
    file: 'engine/pricing/price-bands.ts',
    fault: 'a band is not kept away from the mark',
    original: 'Math.min(microsOfUsd(least) - room, markMicros - halfWidth)',
    replacement: 'microsOfUsd(least) - room',
  },
]
