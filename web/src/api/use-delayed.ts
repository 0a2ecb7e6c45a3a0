import { useEffect, useState } from 'preact/hooks'

/** A value once it has stayed the same for a while: typing asks once, not at every letter. */
export function useDelayed<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
