import type { Mutant } from './mutant.js'

export const competitionMutants: readonly Mutant[] = [
  {
    file: 'engine/core/operator/decide-competition.ts',
    fault: 'an ended competition is changed',
    original: 'state === CompetitionState.Post',
    replacement: 'false',
  },
  {
    file: 'engine/core/operator/decide-competition.ts',
    fault: 'the start of one that runs is moved',
    original: 'state === CompetitionState.Pre || terms.startMillis === wanted.startMillis',
    replacement: 'true',
  },
  {
    file: 'engine/core/operator/decide-competition.ts',
    fault: 'a competition that is over is made',
    original: 'terms.endMillis <= nowMillis',
    replacement: 'false',
  },
  {
    file: 'engine/core/operator/decide-competition.ts',
    fault: 'a metric counts twice',
    original: '(seen & (1 << metric)) !== 0',
    replacement: 'false',
  },
  {
    file: 'engine/state/market/competition-table.ts',
    fault: 'one that has ended still counts as active',
    original: 'this.activeCount--',
    replacement: 'this.activeCount',
  },
  {
    file: 'engine/state/market/competition-table.ts',
    fault: 'a snapshot forgets when a competition was changed',
    original: 'sink.f64(this.updatedMillis)',
    replacement: 'sink.f64(this.createdMillis)',
  },
  {
    file: 'engine/publish/publish-competitions.ts',
    fault: 'margin is told of fills that no competition wants to know of',
    original: 'state.competitions.activeCount === 0',
    replacement: 'false',
  },
]
