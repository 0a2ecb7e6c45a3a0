import { useEffect, useState } from 'preact/hooks'

/** Returns the value once it has not changed for `ms`, so that typing sends one request instead of one per letter. */
export function useDelayed<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
