import { useRef, useState } from 'preact/hooks'
import { download, type ExportFormat, exportFormats, type Progress } from '../api/download.ts'
import { explorePath } from '../api/explore-path.ts'
import { isAbort } from '../api/request.ts'
import { filterParameters } from '../filters/chip.ts'
import { formatBytes, formatDocuments } from '../format/numbers.ts'
import { CurlButton } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Popover } from '../parts/popover.tsx'
import { useExplored } from '../state/explored.ts'
import { state } from '../state/store.ts'

type Status =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly format: ExportFormat; readonly progress: Progress }
  | { readonly kind: 'done'; readonly name: string; readonly progress: Progress }
  | { readonly kind: 'failed'; readonly message: string }

/** Menu to download all matching documents as a file. */
export function ExportMenu() {
  const { collection } = useExplored()
  const [status, setStatus] = useState<Status>({ kind: 'idle' })
  const running = useRef<AbortController | undefined>(undefined)
  const pathOf = ({ format, parameters = [] }: ExportFormat): string =>
    explorePath(collection, '_search', [['format', format], ...parameters, ...filterParameters(state.value.chips)])

  const start = async (format: ExportFormat): Promise<void> => {
    const controller = new AbortController()
    running.current = controller
    setStatus({ kind: 'running', format, progress: { bytes: 0 } })
    const name = `${collection}.${format.extension}`
    try {
      const progress = await download(pathOf(format), format, name, controller.signal, (progress) =>
        setStatus({ kind: 'running', format, progress }),
      )
      setStatus({ kind: 'done', name, progress })
    } catch (error) {
      setStatus(
        isAbort(error)
          ? { kind: 'idle' }
          : { kind: 'failed', message: error instanceof Error ? error.message : String(error) },
      )
    }
  }

  return (
    <Popover
      label="Export"
      button={
        <>
          <Icon name="download" /> <span class="wide-only">Export</span>
        </>
      }
      align="end"
    >
      {() => (
        <div class="export">
          <p class="soft">Save all matching documents as a file.</p>
          <ul>
            {exportFormats.map((format) => (
              <li key={format.name} class="row">
                <button
                  type="button"
                  class="button grow"
                  disabled={status.kind === 'running'}
                  onClick={() => start(format)}
                >
                  {format.name}
                  <span class="soft">.{format.extension}</span>
                </button>
                <CurlButton path={pathOf(format)} />
              </li>
            ))}
          </ul>
          <div role="status">
            {status.kind === 'running' && (
              <div class="row">
                <progress />
                <span>{told(status.progress)}</span>
                <button type="button" class="button small" onClick={() => running.current?.abort()}>
                  Stop
                </button>
              </div>
            )}
            {status.kind === 'done' && (
              <p>
                {status.name} is saved: {told(status.progress)}.
              </p>
            )}
            {status.kind === 'failed' && <p class="problem">{status.message}</p>}
          </div>
        </div>
      )}
    </Popover>
  )
}

const told = ({ bytes, documents }: Progress): string =>
  documents === undefined ? formatBytes(bytes) : `${formatDocuments(documents)}, ${formatBytes(bytes)}`
