import { signal } from '@preact/signals'
import { StrikebookError } from '../../client/client-error.js'
import type { NoticeText } from '../model/order-notice.js'

/** What the page tells in passing. */
export interface Notice extends NoticeText {
  readonly id: number
}

const shownMillis = 6000
/** What has failed stays longer: one may look elsewhere just then. */
const shownBadMillis = 20_000
const noticesMax = 4
let latestId = 0

/** The latest last. */
export const notices = signal<readonly Notice[]>([])

export function tell(text: string, tone: Notice['tone'] = ''): void {
  const notice = { id: ++latestId, tone, text }
  notices.value = [...notices.value, notice].slice(-noticesMax)
  setTimeout(
    () => {
      notices.value = notices.value.filter(({ id }) => id !== notice.id)
    },
    tone === 'bad' ? shownBadMillis : shownMillis,
  )
}

/** Shows a notice that a function of the model made; null: none. */
export function tellNotice(notice: NoticeText | null): void {
  if (notice !== null) tell(notice.text, notice.tone)
}

/** Tells of what is tried again and again: once, while it is shown. */
export function tellFailure(error: unknown): void {
  const text = reasonOf(error)
  if (!notices.value.some((notice) => notice.text === text)) tell(text, 'bad')
}

/** Does what a button or a key is for; what fails is told. @returns whether it has succeeded. */
export async function attempt(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    tell(reasonOf(error), 'bad')
    return false
  }
}

/** What went wrong, for people: of the venue its own words, of a wallet what it says. */
export function reasonOf(error: unknown): string {
  if (error instanceof StrikebookError) {
    return error.code === 'unknown' ? error.message : `${error.message} (${error.code})`
  }
  if (error instanceof Error) return error.message
  const message = (error as { message?: unknown } | null)?.message
  return typeof message === 'string' ? message : String(error)
}
