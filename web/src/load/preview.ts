import { useEffect, useState } from 'preact/hooks'
import { isAbort, RequestFault } from '../api/request.ts'
import { columnsOf, type LoadChoices, type LoadColumn, type LoadReport, previewLoad } from './load-request.ts'

/** What the server would do with a file. */
export interface Preview {
  readonly report?: LoadReport
  /** Also known if a choice is missing. */
  readonly columns?: readonly LoadColumn[]
  readonly problem?: string
  /** The index exists. */
  readonly isTaken?: boolean
  readonly loading: boolean
}

/** Asks the server what it would do, again after every change. */
export function usePreview(file: File, choices: LoadChoices): Preview {
  const [preview, setPreview] = useState<Preview>({ loading: true })
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    setPreview((before) => ({ ...before, loading: true }))
    const ask = async (): Promise<void> => {
      try {
        const report = await previewLoad(file, choices, signal)
        setPreview({ report, columns: report.plan.columns, loading: false })
      } catch (error) {
        if (signal.aborted || isAbort(error)) return
        const isTaken = error instanceof RequestFault && error.code === 'CONFLICT'
        const isUnread = error instanceof RequestFault && (isTaken || error.code === 'INVALID_FILE')
        const columns = isUnread ? await columnsOf(file, signal).catch(() => undefined) : undefined
        if (signal.aborted) return
        setPreview((before) => ({
          problem: textOf(error),
          columns: columns ?? before.columns ?? [],
          isTaken,
          loading: false,
        }))
      }
    }
    ask()
    return () => controller.abort()
  }, [file, choices])
  return preview
}

export const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
