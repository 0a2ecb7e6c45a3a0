import { useEffect } from 'preact/hooks'
import type { Hit } from '../api/answers.ts'
import { isRanked, valueAt } from '../api/collection-fields.ts'
import { explorePath } from '../api/explore-path.ts'
import { useQuery } from '../api/use-query.ts'
import { toggleValue } from '../filters/chip.ts'
import { formatValue } from '../format/values.ts'
import { selectedPlace } from '../map/selected-place.ts'
import { CopyButton, CurlButton } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { FaultMessage, Shimmer } from '../parts/messages.tsx'
import { useExplored } from '../state/explored.ts'
import { change, setChips, state } from '../state/store.ts'
import { leavesOf } from './document-leaves.ts'

/** Details of one document, with its location on the map. */
export function DocumentPanel({ id, title }: { readonly id: string; readonly title: string | undefined }) {
  const { collection, fields } = useExplored()
  const path = explorePath(collection, encodeURIComponent(id))
  const { data, fault, retry } = useQuery<Hit>(path)
  const place = data?.md.geometry ?? data?.md.centroid

  useEffect(() => {
    selectedPlace.value = place === undefined ? { zoomTo: false } : { geometry: place, zoomTo: false }
    return () => {
      selectedPlace.value = { zoomTo: false }
    }
  }, [place])

  const name = title === undefined || data === undefined ? '' : formatValue(valueAt(data.data, title), undefined)
  const shown = data === undefined ? [] : leavesOf(data.data)
  return (
    <div class="document">
      <header class="panel-head">
        <button
          type="button"
          class="icon-button"
          aria-label={state.value.list ? 'Back to the list' : 'Close the document'}
          onClick={() => change({ document: undefined })}
        >
          <Icon name={state.value.list ? 'back' : 'close'} size={16} />
        </button>
        <h2 title={id}>{name === '' ? id : name}</h2>
        <div class="tools">
          {place !== undefined && (
            <button
              type="button"
              class="icon-button"
              title="Show on the map"
              aria-label="Show on the map"
              onClick={() => {
                selectedPlace.value = { geometry: place, zoomTo: true }
              }}
            >
              <Icon name="fit" size={16} />
            </button>
          )}
          {data !== undefined && (
            <CopyButton icon="columns" label="Copy as JSON" text={() => JSON.stringify(data.data, null, 2)} />
          )}
          <CurlButton path={path} />
        </div>
      </header>
      {fault !== undefined && <FaultMessage fault={fault} retry={retry} />}
      {data === undefined && fault === undefined && <Shimmer lines={10} />}
      <dl class="leaves">
        {shown.map(({ path: leaf, value }) => {
          const field = fields.find((one) => one.path === leaf)
          const text = formatValue(value, field)
          const single =
            typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number'
              ? String(value)
              : undefined
          return (
            <div key={leaf}>
              <dt title={leaf}>{field?.name ?? leaf}</dt>
              <dd>
                {isLink(value) ? (
                  <a href={String(value)} target="_blank" rel="noreferrer noopener">
                    {text}
                  </a>
                ) : (
                  <span>{text}</span>
                )}
                {field !== undefined && isRanked(field) && single !== undefined && (
                  <button
                    type="button"
                    class="icon-button leaf-filter"
                    title={`Filter ${field.name} by ${text}`}
                    aria-label={`Filter ${field.name} by ${text}`}
                    onClick={() => setChips(toggleValue(state.value.chips, leaf, single))}
                  >
                    <Icon name="filter" size={13} />
                  </button>
                )}
              </dd>
            </div>
          )
        })}
      </dl>
    </div>
  )
}

const isLink = (value: unknown): boolean => typeof value === 'string' && /^https?:\/\/\S+$/.test(value)
