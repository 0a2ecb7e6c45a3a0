import { useEffect, useState } from 'preact/hooks'
import type { Counted } from '../api/answers.ts'
import type { CollectionField } from '../api/collection-fields.ts'
import { ask, isAbort } from '../api/request.ts'
import { useQuery } from '../api/use-query.ts'
import { chip } from '../filters/chip.ts'
import { filterBody } from '../filters/filter-body.ts'
import { printChoice } from '../filters/triplet.ts'
import { formatMoment } from '../format/dates.ts'
import { formatCount, formatDocuments } from '../format/numbers.ts'
import { FaultMessage } from '../parts/messages.tsx'
import { Modal } from '../parts/modal.tsx'
import { useExplored } from '../state/explored.ts'
import { revision, state } from '../state/store.ts'
import { ticked } from '../state/ticked.ts'
import { countPath } from '../state/widget-query.ts'

interface TagStatus {
  readonly id: string
  readonly label?: string
  readonly action: string
  readonly updated: number
  readonly failed: number
  readonly progress: number
  readonly failures?: readonly { readonly id: string; readonly message: string }[]
}

interface LoggedTag {
  readonly id: string
  readonly action: string
  readonly creationTime: number
  readonly label?: string
  readonly tag?: { readonly path: string; readonly value?: unknown }
}

const ACTIONS = { add: 'add', remove: 'remove', clear: 'remove all values' } as const
type Action = keyof typeof ACTIONS

/** Documents to tag: all that match the filters, those ticked in the list, or the open one. */
type Scope = 'all' | 'ticked' | 'open'

const LOG_SIZE = 15
/** Poll interval of a running tag; grows up to `most`. Milliseconds. */
const LOOK_MS = { first: 150, most: 2_000 }

/** Adds a value to the matching documents or removes it, and shows the progress. */
export function TagPanel({
  taggable,
  onClose,
}: {
  readonly taggable: readonly CollectionField[]
  readonly onClose: () => void
}) {
  const { collection, paths } = useExplored()
  const { chips, document: opened } = state.value
  const [field, setField] = useState(taggable[0]?.path ?? '')
  const [action, setAction] = useState<Action>('add')
  const [value, setValue] = useState('')
  const [label, setLabel] = useState('')
  const [scope, setScope] = useState<Scope>(() =>
    ticked.value.length > 0 ? 'ticked' : opened === undefined ? 'all' : 'open',
  )
  const [status, setStatus] = useState<TagStatus>()
  const [problem, setProblem] = useState<string>()
  const ids = scope === 'ticked' ? ticked.value : scope === 'open' && opened !== undefined ? [opened] : undefined
  const selected = ids === undefined ? chips : [chip(printChoice(paths.id, ids))]
  const count = useQuery<Counted>(countPath(collection, selected))
  const log = useQuery<readonly LoggedTag[]>(`status/${encodeURIComponent(collection)}/_taglist`)
  const type = taggable.find(({ path }) => path === field)?.type ?? 'KEYWORD'
  useFollowed(collection, status, setStatus, setProblem)

  const submit = async (): Promise<void> => {
    setProblem(undefined)
    const body = {
      tag: { path: field, ...(action === 'clear' ? {} : { value: typed(value, type) }) },
      search: { filter: filterBody(selected) },
      ...(label.trim() === '' ? {} : { label: label.trim() }),
    }
    const path = `write/${encodeURIComponent(collection)}/${action === 'add' ? '_tag' : '_untag'}`
    try {
      setStatus(
        await ask<TagStatus>(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      )
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }

  const isRunning = status !== undefined && status.progress < 100
  return (
    <Modal title="Tag documents" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {(opened !== undefined || ticked.value.length > 0) && (
          <label>
            Which documents
            <select value={scope} onChange={(event) => setScope(event.currentTarget.value as Scope)}>
              <option value="all">All matching documents</option>
              {ticked.value.length > 0 && (
                <option value="ticked">Documents ticked in the list ({formatCount(ticked.value.length)})</option>
              )}
              {opened !== undefined && <option value="open">Only {opened}</option>}
            </select>
          </label>
        )}
        <div class="triplet">
          <select aria-label="Field" value={field} onChange={(event) => setField(event.currentTarget.value)}>
            {taggable.map(({ path, name }) => (
              <option key={path} value={path}>
                {name}
              </option>
            ))}
          </select>
          <select
            aria-label="Action"
            value={action}
            onChange={(event) => setAction((event.currentTarget.value as Action) ?? 'add')}
          >
            {Object.entries(ACTIONS).map(([name, text]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
          <input
            aria-label="Value"
            value={value}
            disabled={action === 'clear'}
            placeholder="value"
            onInput={(event) => setValue(event.currentTarget.value)}
          />
        </div>
        <label>
          Label, shown in the log
          <input value={label} onInput={(event) => setLabel(event.currentTarget.value)} />
        </label>
        {problem !== undefined && <p class="problem">{problem}</p>}
        {status !== undefined && <TagProgress status={status} />}
        <div class="row end">
          <button type="submit" class="button primary" disabled={isRunning || (action !== 'clear' && value === '')}>
            {count.data === undefined ? 'Tag' : `Tag ${formatDocuments(count.data.totalnb)}`}
          </button>
        </div>
      </form>
      <h3>Log</h3>
      {log.fault !== undefined && <FaultMessage fault={log.fault} retry={log.retry} />}
      {log.data?.length === 0 && <p class="soft">No tags yet.</p>}
      <ul class="log">
        {log.data
          ?.slice(-LOG_SIZE)
          .reverse()
          .map(({ id, action: done, tag, label: name, creationTime }) => (
            <li key={id}>
              <span>
                {done === 'ADD' ? '+' : '−'} {tag?.path} {tag?.value === undefined ? '' : String(tag.value)}
              </span>
              <span class="soft">
                {name} {formatMoment(creationTime)}
              </span>
            </li>
          ))}
      </ul>
    </Modal>
  )
}

function TagProgress({ status: { progress, updated, failed, failures } }: { readonly status: TagStatus }) {
  return (
    <div role="status">
      <progress max={100} value={progress} aria-label="Progress of the tag" />
      <p>
        {progress < 100 ? 'Running' : 'Done'}: {formatDocuments(updated)}
        {failed > 0 && <span class="problem">, {formatCount(failed)} failed</span>}
      </p>
      {failures?.slice(0, 3).map(({ id, message }) => (
        <p key={id} class="problem">
          {message}
        </p>
      ))}
    </div>
  )
}

/** Polls a running tag until it is done, then refreshes all data. */
function useFollowed(
  collection: string,
  status: TagStatus | undefined,
  onStatus: (status: TagStatus) => void,
  onProblem: (text: string) => void,
): void {
  const id = status !== undefined && status.progress < 100 ? status.id : undefined
  useEffect(() => {
    if (id === undefined) return
    const controller = new AbortController()
    let timer = 0
    const look = async (wait: number): Promise<void> => {
      try {
        const now = await ask<TagStatus>(`status/${encodeURIComponent(collection)}/_tag/${id}`, {
          signal: controller.signal,
          cache: 'no-store',
        })
        onStatus(now)
        if (now.progress < 100) timer = window.setTimeout(() => look(Math.min(LOOK_MS.most, wait * 1.6)), wait)
        else revision.value++
      } catch (error) {
        if (!controller.signal.aborted && !isAbort(error))
          onProblem(error instanceof Error ? error.message : String(error))
      }
    }
    look(LOOK_MS.first)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [id, collection])
}

/** Converts a value to the type of the field; invalid input is sent unchanged, so that the server reports the error. */
function typed(text: string, type: string): string | number | boolean {
  if (type === 'BOOLEAN' && /^(true|false)$/i.test(text.trim())) return text.trim().toLowerCase() === 'true'
  const isNumber = /^(LONG|INTEGER|SHORT|BYTE|DOUBLE|FLOAT)$/.test(type)
  return isNumber && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}
