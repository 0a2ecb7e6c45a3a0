import { useEffect, useRef, useState } from 'preact/hooks'
import type { Hit } from '../api/answers.ts'
import { type CollectionField, isGeo, isSortable, valueAt } from '../api/collection-fields.ts'
import { explorePath } from '../api/explore-path.ts'
import { filterParameters } from '../filters/chip.ts'
import { printChoice } from '../filters/triplet.ts'
import { formatCount, formatDocuments } from '../format/numbers.ts'
import { formatValue } from '../format/values.ts'
import { beat, liveTotal } from '../live/live.ts'
import { selectedPlace } from '../map/selected-place.ts'
import { CurlButton } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { FaultMessage, Shimmer } from '../parts/messages.tsx'
import { Popover } from '../parts/popover.tsx'
import { useExplored } from '../state/explored.ts'
import { addChip, change, state } from '../state/store.ts'
import { MOST_TICKED, ticked, toggleTicked, untickAll } from '../state/ticked.ts'
import { usePages } from './use-pages.ts'

const PAGE = '50'

/** Table of the matching documents with infinite scrolling. */
export function ResultList({ columns }: { readonly columns: readonly string[] }) {
  const { collection, fields, paths } = useExplored()
  const { chips, sort = `-${paths.time}` } = state.value
  const order = sort.replace(/^-/, '') === paths.id ? sort : `${sort},${paths.id}`
  const request = explorePath(collection, '_search', [
    ['size', PAGE],
    ['sort', order],
    ['include', columns.join(',')],
    ...filterParameters(chips),
  ])
  const [isAtTop, setAtTop] = useState(true)
  const { hits, total, fault, loading, isWhole, fresh, more, retry } = usePages(request, isAtTop ? beat.value : 0)
  const shown = columns.flatMap((path) => fields.filter((field) => field.path === path))
  const scroll = useRef<HTMLElement>(null)
  // a new search starts at its first document
  useEffect(() => scroll.current?.scrollTo(0, 0), [request])
  const last = useSeen<HTMLDivElement>(more, !loading && !isWhole && fault === undefined)
  return (
    <div class="list" data-loading={loading && hits.length > 0}>
      <header class="panel-head">
        <h2>{total === undefined ? 'Documents' : formatDocuments(liveTotal.value ?? total)}</h2>
        <div class="tools">
          <ColumnChoice columns={columns} />
          <CurlButton path={request} />
          <button type="button" class="icon-button" aria-label="Close the list" onClick={() => change({ list: false })}>
            <Icon name="close" size={16} />
          </button>
        </div>
      </header>
      {ticked.value.length > 0 && <TickedBar />}
      <section
        class="table-scroll"
        ref={scroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        tabIndex={0}
        aria-label="Documents"
        onScroll={(event) => setAtTop(event.currentTarget.scrollTop === 0)}
      >
        <table>
          <thead>
            <tr>
              <th scope="col" class="tick">
                <span class="unseen">Ticked</span>
              </th>
              {shown.map((field) => (
                <Heading key={field.path} field={field} sort={sort} />
              ))}
            </tr>
          </thead>
          <tbody
            onMouseLeave={() => {
              selectedPlace.value = { zoomTo: false }
            }}
          >
            {hits.map((hit, i) => (
              <Row key={hit.md.id ?? i} hit={hit} shown={shown} isNew={fresh.has(hit.md.id ?? '')} />
            ))}
          </tbody>
        </table>
        {fault !== undefined && <FaultMessage fault={fault} retry={retry} />}
        {loading && <Shimmer lines={hits.length === 0 ? 12 : 3} />}
        {!loading && hits.length === 0 && fault === undefined && (
          <p class="soft empty">No document matches the filters.</p>
        )}
        {isWhole && hits.length > 0 && <p class="soft empty">End of the list.</p>}
        <div class="list-end" ref={last} />
      </section>
    </div>
  )
}

/** Actions on the ticked documents; tagging them is an option of the tag panel. */
function TickedBar() {
  const { paths } = useExplored()
  const count = ticked.value.length
  return (
    <div class="ticked-bar" role="status">
      <span>
        {formatCount(count)} ticked{count === MOST_TICKED && ', the maximum'}
      </span>
      <button type="button" class="button small" onClick={() => addChip(printChoice(paths.id, ticked.value))}>
        Show only these
      </button>
      <button type="button" class="button small" onClick={untickAll}>
        Untick all
      </button>
    </div>
  )
}

function Heading({ field, sort }: { readonly field: CollectionField; readonly sort: string }) {
  const direction = sort === field.path ? 'ascending' : sort === `-${field.path}` ? 'descending' : 'none'
  if (!isSortable(field)) return <th scope="col">{field.name}</th>
  return (
    <th scope="col" aria-sort={direction}>
      <button
        type="button"
        onClick={() => change({ sort: direction === 'descending' ? field.path : `-${field.path}` })}
      >
        {field.name}
        {direction !== 'none' && <Icon name={direction === 'ascending' ? 'up' : 'down'} size={12} />}
      </button>
    </th>
  )
}

interface RowProps {
  readonly hit: Hit
  readonly shown: readonly CollectionField[]
  /** True if the document came in while the page followed. */
  readonly isNew: boolean
}

function Row({ hit, shown, isNew }: RowProps) {
  const { id, centroid, geometry } = hit.md
  const place = geometry ?? centroid
  const open = (): void => {
    if (id !== undefined) change({ document: id })
  }
  return (
    <tr
      data-new={isNew}
      onMouseEnter={() => {
        selectedPlace.value = place === undefined ? { zoomTo: false } : { geometry: place, zoomTo: false }
      }}
      onClick={open}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the checkbox inside handles the keyboard */}
      <td class="tick" onClick={(event) => event.stopPropagation()}>
        {id !== undefined && (
          <input
            type="checkbox"
            aria-label={`Tick ${id}`}
            checked={ticked.value.includes(id)}
            onChange={() => toggleTicked(id)}
          />
        )}
      </td>
      {shown.map((field, i) => (
        <td key={field.path} data-number={typeof valueAt(hit.data, field.path) === 'number' && field.type !== 'DATE'}>
          {i === 0 ? (
            <button type="button" class="row-link" onClick={open}>
              {formatValue(valueAt(hit.data, field.path), field)}
            </button>
          ) : (
            formatValue(valueAt(hit.data, field.path), field)
          )}
        </td>
      ))}
    </tr>
  )
}

function ColumnChoice({ columns }: { readonly columns: readonly string[] }) {
  const { fields } = useExplored()
  const toggle = (path: string): void => {
    const next = columns.includes(path) ? columns.filter((other) => other !== path) : [...columns, path]
    if (next.length > 0) change({ columns: next }, 'replace')
  }
  return (
    <Popover label="Columns" button={<Icon name="columns" size={16} />} buttonClass="icon-button" align="end">
      {() => (
        <fieldset class="checks">
          <legend>Columns</legend>
          {fields
            .filter((field) => !isGeo(field))
            .map(({ path, name }) => (
              <label key={path}>
                <input type="checkbox" checked={columns.includes(path)} onChange={() => toggle(path)} />
                {name} <span class="soft">{path}</span>
              </label>
            ))}
        </fieldset>
      )}
    </Popover>
  )
}

/** Calls `onSeen` when an element scrolls into view. */
function useSeen<E extends Element>(onSeen: () => void, isWanted: boolean) {
  const element = useRef<E>(null)
  useEffect(() => {
    if (!isWanted || element.current === null) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onSeen()
      },
      { root: element.current.closest('.table-scroll'), rootMargin: '600px' },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  })
  return element
}
