import type { RequestFault } from '../api/request.ts'
import { Icon } from './icon.tsx'

/** Error message in the widget that failed, with a retry button. */
export function FaultMessage({ fault, retry }: { readonly fault: RequestFault; readonly retry: () => void }) {
  return (
    <div class="fault" role="alert">
      <p>{fault.message}.</p>
      <button type="button" class="button small" onClick={retry}>
        <Icon name="refresh" size={14} /> Try again
      </button>
    </div>
  )
}

export function Shimmer({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div class="shimmer" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} />
      ))}
    </div>
  )
}
