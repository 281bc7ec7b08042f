import { signal } from '@preact/signals'
import { StrikebookError } from '../../client/client-error.js'
import type { NoticeText } from '../model/order-notice.js'

/** Temporary notice of the page. */
export interface Notice extends NoticeText {
  readonly id: number
}

const shownMillis = 6000
/** Failures stay longer, because the user may be looking elsewhere. */
const shownBadMillis = 20_000
const noticesMax = 4
let latestId = 0

/** Shown notices, the latest last. */
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
export function showNotice(notice: NoticeText | null): void {
  if (notice !== null) tell(notice.text, notice.tone)
}

/** Shows a failure of repeated work, unless a notice with its text is still shown. */
export function showFailure(error: unknown): void {
  const text = reasonOf(error)
  if (!notices.value.some((notice) => notice.text === text)) tell(text, 'bad')
}

/** Runs the action of a button or key, and shows a failure as a notice. @returns true if it succeeded. */
export async function attempt(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    tell(reasonOf(error), 'bad')
    return false
  }
}

/** Returns the text of an error for people, including those of the venue and of wallets. */
export function reasonOf(error: unknown): string {
  if (error instanceof StrikebookError) {
    return error.code === 'unknown' ? error.message : `${error.message} (${error.code})`
  }
  if (error instanceof Error) return error.message
  const message = (error as { message?: unknown } | null)?.message
  return typeof message === 'string' ? message : String(error)
}
