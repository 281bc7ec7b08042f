import { notices } from '../state/notices.js'

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, tone, text }) => (
        <p key={id} class={tone}>
          {text}
        </p>
      ))}
    </div>
  )
}
