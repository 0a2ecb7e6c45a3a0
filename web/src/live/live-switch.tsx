import { change, state } from '../state/store.ts'
import { liveFault } from './live.ts'

/** Switches between a view that follows the documents and one that stays as it is. */
export function LiveSwitch() {
  const isLive = state.value.live === true
  const status = !isLive ? 'off' : liveFault.value === undefined ? 'on' : 'waiting'
  const title =
    status === 'waiting'
      ? `Live: ${liveFault.value}`
      : isLive
        ? 'Live: the page follows the documents as they arrive'
        : 'Follow the documents as they arrive'
  return (
    <button
      type="button"
      class="button live-switch"
      aria-label="Live"
      aria-pressed={isLive}
      data-status={status}
      title={title}
      onClick={() => change({ live: isLive ? undefined : true })}
    >
      <i class="live-dot" aria-hidden="true" /> <span class="wide-only">Live</span>
    </button>
  )
}
