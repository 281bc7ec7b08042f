import { signal } from '@preact/signals'
import { Plot } from '../charts/plot.jsx'
import { percentText, priceText } from '../model/numbers.js'
import { signedPercent } from '../model/risk-curves.js'
import { type Smile, smilesOf, smilesTogether, volatilityAt } from '../model/smile.js'
import { expiryText } from '../model/symbol-text.js'
import { quotedOptions, underlyings } from '../state/chain.js'
import { chosenUnderlying } from '../state/choice.js'
import { usePeriodic } from './use-periodic.js'

/** Time between redraws: drawing is expensive, and volatility changes slowly. */
const drawMillis = 2000
const smileHeight = 220
const colors = ['--accent', '--up', '--mark', '--down', '--text', '--dim']
/** Columns of the surface, as fractions above or below the index. */
const distances = [-0.15, -0.1, -0.05, -0.025, 0, 0.025, 0.05, 0.1, 0.15]

const chosenSmile = signal<number | null>(null)
const smiles = signal<readonly Smile[]>([])

/** Implied volatility: one expiry over strikes, and all expiries as a surface. */
export function Volatility() {
  const underlying = chosenUnderlying.value ?? underlyings.value[0] ?? ''
  const draw = async () => {
    smiles.value = smilesOf(quotedOptions(underlying))
  }
  usePeriodic(drawMillis, draw, underlying)
  const all = smiles.value
  if (all.length === 0) return <p class="empty">Waiting for mark prices…</p>
  const shown = all.find(({ expiry }) => expiry === chosenSmile.value) ?? all[0]!
  return (
    <div class="volatility">
      <div class="tabs" role="tablist" aria-label="Expiry of the smile">
        {all.map(({ expiry }) => (
          <button
            type="button"
            role="tab"
            key={expiry}
            aria-selected={expiry === shown.expiry}
            onClick={() => {
              chosenSmile.value = expiry
            }}
          >
            {expiryText(expiry / 1000)}
          </button>
        ))}
      </div>
      <div class="curves">
        <SmilePlot smile={shown} />
        <Together all={all} />
      </div>
      <Surface all={all} />
    </div>
  )
}

function SmilePlot({ smile }: { readonly smile: Smile }) {
  return (
    <figure>
      <figcaption>Volatility smile, {expiryText(smile.expiry / 1000)}</figcaption>
      <Plot
        kind="smile"
        data={[smile.strikes, smile.mark, smile.bid, smile.ask] as never}
        series={[
          { label: 'mark', color: '--accent' },
          { label: 'bid', color: '--up', shape: 'points' },
          { label: 'ask', color: '--down', shape: 'points' },
        ]}
        height={smileHeight}
        xText={priceText}
        yText={(iv) => percentText(iv, 0)}
        label="Implied volatility by strike"
      />
    </figure>
  )
}

function Together({ all }: { readonly all: readonly Smile[] }) {
  const together = smilesTogether(all)
  return (
    <figure>
      <figcaption>All expiries by moneyness (strike vs. index)</figcaption>
      <Plot
        kind={`smiles-${all.map(({ expiry }) => expiry).join()}`}
        data={[together.distances, ...together.curves] as never}
        series={all.map(({ expiry }, place) => ({
          label: expiryText(expiry / 1000),
          color: colors[place % colors.length]!,
        }))}
        height={smileHeight}
        xText={signedPercent}
        yText={(iv) => percentText(iv, 0)}
        label="Implied volatility of every expiry by distance from the index"
      />
    </figure>
  )
}

/** Surface as a table, with deeper cell colours for higher volatility. */
function Surface({ all }: { readonly all: readonly Smile[] }) {
  const rows = all.map((smile) => distances.map((distance) => volatilityAt(smile, distance)))
  const known = rows.flat().filter((iv): iv is number => iv !== null)
  const [low, high] = [Math.min(...known), Math.max(...known)]
  return (
    <table class="surface" aria-label="Volatility surface">
      <thead>
        <tr>
          <th>Expiry</th>
          {distances.map((distance) => (
            <th key={distance}>{distance === 0 ? 'index' : signedPercent(distance)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((ivs, place) => (
          <tr key={all[place]!.expiry}>
            <th scope="row">{expiryText(all[place]!.expiry / 1000)}</th>
            {ivs.map((iv, at) => (
              <td
                key={distances[at]}
                style={{ '--heat': iv === null ? '0' : heatOf(iv, low, high) }}
              >
                {iv === null ? '' : percentText(iv)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function heatOf(iv: number, low: number, high: number): string {
  return String(Math.round((60 * (iv - low)) / Math.max(high - low, Number.EPSILON)) + 5)
}
