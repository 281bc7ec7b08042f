import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { theme } from '../state/choice.js'

/** Factor of the scale above the highest point. */
const headroom = 1.08

export type PlotData = uPlot.AlignedData

export interface PlotSeries {
  readonly label: string
  /** Colour variable of the style sheet, such as `--up`. */
  readonly color: string
  readonly isFilled?: boolean
  /** Steps up to each point (bids) or from it on (asks), or points only; undefined: lines. */
  readonly shape?: 'steps-to' | 'steps-from' | 'points'
  readonly isDashed?: boolean
}

export interface PlotProps {
  /** The chart is rebuilt when this changes. */
  readonly kind: string
  readonly data: PlotData
  readonly series: readonly PlotSeries[]
  readonly height: number
  readonly xText: (value: number) => string
  readonly yText: (value: number) => string
  /** True if the vertical scale starts at 0. */
  readonly fromZero?: boolean
  /** Accessible description of the chart. */
  readonly label: string
}

/** Chart that fills the width of its container, in the colours of the theme. */
export function Plot(props: PlotProps) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const { kind, data, label, height } = props
  const shownTheme = theme.value
  useEffect(() => {
    const target = place.current!
    const made = new uPlot(optionsOf(props, target.clientWidth), data, target)
    plot.current = made
    const watch = new ResizeObserver(() => made.setSize({ width: target.clientWidth, height }))
    watch.observe(target)
    return () => {
      watch.disconnect()
      made.destroy()
      plot.current = null
    }
  }, [kind, shownTheme, height])
  useEffect(() => {
    plot.current?.setData(data)
  }, [data])
  return <div class="plot" ref={place} role="img" aria-label={label} />
}

function optionsOf(
  { series, height, xText, yText, fromZero = false }: PlotProps,
  width: number,
): uPlot.Options {
  const style = getComputedStyle(document.documentElement)
  const colorOf = (name: string) => style.getPropertyValue(name).trim()
  const axis = {
    stroke: colorOf('--dim'),
    grid: { stroke: colorOf('--line'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
  }
  return {
    ...{ width, height },
    padding: [6, 28, 0, 0],
    cursor: { drag: { x: false, y: false }, points: { size: 6 } },
    legend: { show: series.length > 1, live: false },
    scales: {
      x: { time: false },
      ...(fromZero ? { y: { range: (_, __, high) => [0, high * headroom] } } : {}),
    },
    axes: [
      { ...axis, size: 24, values: (_, splits) => splits.map(xText) },
      { ...axis, size: 52, values: (_, splits) => splits.map(yText) },
    ],
    series: [{}, ...series.map((one) => seriesOf(one, colorOf))],
  }
}

function seriesOf(
  { label, color, isFilled = false, shape, isDashed = false }: PlotSeries,
  colorOf: (name: string) => string,
): uPlot.Series {
  const stroke = colorOf(color)
  const isPoints = shape === 'points'
  return {
    ...{ label, stroke, width: isPoints ? 0 : 2, spanGaps: shape === undefined },
    points: { show: isPoints, size: 6, fill: stroke },
    ...(isFilled ? { fill: `${stroke}33` } : {}),
    ...(isDashed ? { dash: [5, 4] } : {}),
    ...(shape === 'steps-to' ? { paths: uPlot.paths.stepped!({ align: -1 }) } : {}),
    ...(shape === 'steps-from' ? { paths: uPlot.paths.stepped!({ align: 1 }) } : {}),
  }
}
