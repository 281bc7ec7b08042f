import { signal } from '@preact/signals'
import { type MmpTexts, mmpFault, mmpTermsOf, type Protected } from '../model/mmp-form.js'
import { tell } from './notices.js'
import { gathered } from './periodic.js'
import { session } from './session.js'

/** Nothing but what a window and a freeze often are. */
export const noTexts: MmpTexts = {
  ...{ currency: '', interval: '5', frozen: '10' },
  ...{ quantity: '', delta: '', vega: '' },
}

/** Protections of the wallet; null: not told yet. */
export const protections = signal<readonly Protected[] | null>(null)
/** What is being filled in. */
export const mmpTexts = signal<MmpTexts>(noTexts)

export async function loadProtections(): Promise<void> {
  const client = session.value?.client
  const told = client === undefined ? null : await client.mmpConfigs()
  if (session.value?.client === client) protections.value = told
}

/** What an act has changed is there soon; that it cannot be asked for is no fault of the act. */
const refresh = gathered(0, loadProtections)

/** Sets what the form says, in place of what held for its underlying. */
export async function setProtection(): Promise<void> {
  const texts = mmpTexts.value
  const fault = mmpFault(texts)
  if (fault !== null) throw new Error(fault)
  await session.value!.client.account.setMmpConfig(mmpTermsOf(texts))
  mmpTexts.value = noTexts
  tell(`${texts.currency} is protected`, 'good')
  refresh()
}

/** Clears sums and freeze. */
export async function resetProtection(currency: string): Promise<void> {
  await session.value!.client.account.resetMmp({ currency })
  tell(`The protection of ${currency} begins anew`, 'good')
  refresh()
}

export async function endProtection(currency: string): Promise<void> {
  await session.value!.client.account.deleteMmpConfig({ currency })
  tell(`${currency} is protected no more`)
  refresh()
}
