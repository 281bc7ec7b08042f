import { computed, signal } from '@preact/signals'
import { rungsOf } from '../model/book-ladder.js'

/** Width class of the window. */
export type Width = 'narrow' | 'middle' | 'wide'

const narrow = matchMedia('(max-width: 820px)')
const middle = matchMedia('(max-width: 1250px)')

export const width = signal<Width>(widthNow())
const height = signal(innerHeight)
/** Number of prices that the ladder shows per side. */
export const rungs = computed(() => rungsOf(width.value === 'narrow' ? null : height.value))

for (const border of [narrow, middle]) {
  border.addEventListener('change', () => {
    width.value = widthNow()
  })
}
addEventListener('resize', () => {
  height.value = innerHeight
})

function widthNow(): Width {
  if (narrow.matches) return 'narrow'
  return middle.matches ? 'middle' : 'wide'
}
