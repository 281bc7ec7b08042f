import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

// Real browser for the pages: the system's Chromium, driven by a package that may be missing.

const driverName: string = 'playwright-core'
const places = [
  process.env['CHROMIUM'] ?? '',
  ...['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
]
const flags = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

/** Used members of an element locator. */
export interface Found {
  click(): Promise<void>
  fill(text: string): Promise<void>
  selectOption(value: string): Promise<unknown>
  first(): Found
  nth(index: number): Found
  count(): Promise<number>
  innerText(): Promise<string>
  waitFor(options?: { readonly timeout?: number }): Promise<void>
}

/** Used members of a page. */
export interface BrowserPage {
  readonly keyboard: { press(key: string): Promise<void> }
  goto(url: string): Promise<unknown>
  reload(): Promise<unknown>
  locator(selector: string, options?: { readonly hasText?: string | RegExp }): Found
  evaluate<Result>(script: string): Promise<Result>
  /** Makes a function of this process available to the page. */
  exposeFunction(name: string, work: (text: string) => Promise<string>): Promise<unknown>
  screenshot(options: { readonly path: string }): Promise<unknown>
  setViewportSize(size: { readonly width: number; readonly height: number }): Promise<void>
  addInitScript(script: string): Promise<unknown>
  on(event: 'pageerror', hear: (error: Error) => void): void
  on(event: 'console', hear: (message: { type(): string; text(): string }) => void): void
}

/** Cost of the page so far, after forced garbage collections of its heap. */
export interface PageCost {
  /** Processor time of its main thread. */
  readonly mainSeconds: number
  readonly heapBytes: number
}

export interface PageBrowser {
  readonly page: BrowserPage
  /** Errors of the page, including violations of its content policy. */
  readonly complaints: string[]
  cost(): Promise<PageCost>
  /** Returns the processor milliseconds that scripts of each frame take in the next `lookMillis`. */
  frameMillis(lookMillis: number): Promise<readonly number[]>
  close(): Promise<void>
}

/** Event of a trace. */
interface Traced {
  readonly name: string
  /** Microseconds of the thread's own time. */
  readonly tdur?: number
}

/** Protocol of the browser. */
interface Protocol {
  on(event: 'Tracing.dataCollected', listener: (event: { value: readonly Traced[] }) => void): void
  on(event: 'Tracing.tracingComplete', listener: () => void): void
  send(method: string, parameters?: object): Promise<Readonly<Record<string, unknown>>>
}

interface Context {
  pages(): BrowserPage[]
  newPage(): Promise<BrowserPage>
  newCDPSession(page: BrowserPage): Promise<Protocol>
  close(): Promise<void>
}

interface Driver {
  readonly chromium: {
    launchPersistentContext(folder: string, options: object): Promise<Context>
  }
}

const executablePath = places.find((place) => place !== '' && existsSync(place))
const driver = executablePath === undefined ? null : await loadDriver()

/** Reason why no browser can start, or false if one can. */
export const lacksBrowser: string | false =
  executablePath === undefined
    ? 'no Chromium is installed'
    : driver === null && `${driverName} is not installed`

/** Differences from a new browser. */
export interface BrowserOptions {
  /** Chromium's content settings, by name: 1 allows, 2 blocks. */
  readonly contentSettings?: Readonly<Record<string, number>>
  readonly flags?: readonly string[]
}

/** Starts a browser with a new profile. */
export async function startBrowser(
  size = { width: 1440, height: 900 },
  { contentSettings = {}, flags: more = [] }: BrowserOptions = {},
): Promise<PageBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'strikebook-browser-'))
  await mkdir(join(folder, 'Default'))
  const preferences = { profile: { default_content_setting_values: contentSettings } }
  await writeFile(join(folder, 'Default', 'Preferences'), JSON.stringify(preferences))
  const context = await driver!.chromium.launchPersistentContext(folder, {
    ...{ executablePath, args: [...flags, ...more], viewport: size },
  })
  const page = context.pages()[0] ?? (await context.newPage())
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  const protocol = await context.newCDPSession(page)
  return {
    ...{ page, complaints },
    cost: () => costOf(protocol),
    frameMillis: (lookMillis) => framesOf(protocol, lookMillis),
    async close() {
      await context.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function costOf(protocol: Protocol): Promise<PageCost> {
  await protocol.send('Performance.enable', { timeDomain: 'threadTicks' })
  const { metrics } = await protocol.send('Performance.getMetrics')
  const values = metrics as readonly { readonly name: string; readonly value: number }[]
  await protocol.send('HeapProfiler.collectGarbage')
  const { usedSize } = await protocol.send('Runtime.getHeapUsage')
  const mainSeconds = values.find(({ name }) => name === 'TaskDuration')!.value
  return { mainSeconds, heapBytes: Number(usedSize) }
}

/** Uses thread time, which other work of the machine does not affect. */
async function framesOf(protocol: Protocol, lookMillis: number): Promise<readonly number[]> {
  const frames: number[] = []
  protocol.on('Tracing.dataCollected', ({ value }) => {
    for (const { name, tdur } of value) {
      if (name === 'FireAnimationFrame' && tdur !== undefined) frames.push(tdur / 1000)
    }
  })
  const traceConfig = { includedCategories: ['devtools.timeline'] }
  await protocol.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig })
  await sleep(lookMillis)
  const whole = new Promise<void>((resolve) => protocol.on('Tracing.tracingComplete', resolve))
  await protocol.send('Tracing.end')
  await whole
  return frames
}

async function loadDriver(): Promise<Driver | null> {
  try {
    return (await import(driverName)) as Driver
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  }
}
