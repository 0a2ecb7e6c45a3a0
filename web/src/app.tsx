import { useEffect, useMemo, useState } from 'preact/hooks'
import type { CollectionDescription } from './api/answers.ts'
import { useQuery } from './api/use-query.ts'
import type { Bounds } from './filters/triplet.ts'
import { newestTime, useLive } from './live/live.ts'
import { DropTarget, droppedFile, LoadButton } from './load/dropped-file.tsx'
import { LoadPanel } from './load/load-panel.tsx'
import { MapView } from './map/map-view.tsx'
import { DocumentPanel } from './panels/document-panel.tsx'
import { FilterBar } from './panels/filter-bar.tsx'
import { Rail } from './panels/rail.tsx'
import { ResultList } from './panels/result-list.tsx'
import { TopBar } from './panels/top-bar.tsx'
import { Icon, type IconName } from './parts/icon.tsx'
import { FaultMessage, Shimmer } from './parts/messages.tsx'
import { type Explored, ExploredContext, exploredOf, useExplored } from './state/explored.ts'
import { change, openCollection, state } from './state/store.ts'
import { useFirstLook } from './state/use-first-look.ts'
import { Timeline } from './widgets/timeline.tsx'

export function App() {
  const { data: collections, fault, loading, retry } = useQuery<readonly CollectionDescription[]>('explore/_list')
  const { collection } = state.value
  const chosen = collections?.find(({ collection_name }) => collection_name === collection)
  const first = collections?.[0]?.collection_name
  useEffect(() => {
    if (collection === undefined && first !== undefined) openCollection(first, 'replace')
  }, [collection, first])
  const explored = useMemo(() => (chosen === undefined ? undefined : exploredOf(chosen)), [chosen])
  useEffect(() => {
    document.title = explored === undefined ? 'Periplus' : `${explored.name} · Periplus`
  }, [explored])

  return (
    <ExploredContext.Provider value={explored}>
      <div class="app">
        <TopBar collections={collections ?? []} isOpen={explored !== undefined} />
        {explored !== undefined ? (
          <Explorer key={explored.collection} explored={explored} />
        ) : (
          <main class="notice">
            {fault !== undefined && <FaultMessage fault={fault} retry={retry} />}
            {loading && <Shimmer lines={4} />}
            {collections?.length === 0 && <NoCollections />}
            {collections !== undefined && collections.length > 0 && collection !== undefined && !loading && (
              <p>Collection {collection} does not exist, or you are not allowed to see it. Choose another one above.</p>
            )}
          </main>
        )}
        <DropTarget />
        {droppedFile.value !== undefined && (
          <LoadPanel
            file={droppedFile.value}
            onClose={() => {
              droppedFile.value = undefined
            }}
          />
        )}
      </div>
    </ExploredContext.Provider>
  )
}

function NoCollections() {
  return (
    <>
      <h1>There are no collections yet</h1>
      <p>
        Drop a file of documents with a location on this page, or load it on the command line: CSV, GeoJSON, Excel,
        shapefile, GeoPackage, Parquet or another format.
      </p>
      <p>
        <LoadButton />
      </p>
      <pre>
        <code>npx periplus load FILE</code>
      </pre>
    </>
  )
}

/** Shown over the map of a collection without documents. */
function EmptyCollection() {
  const { description } = useExplored()
  const { index_name: index = '' } = description.params
  const into = /^[\w.-]+$/.test(index) ? ` --index ${index}` : ''
  return (
    <div class="empty-collection" role="status">
      <h2>This collection has no documents yet</h2>
      <p>Drop a file on this page, or load it on the command line:</p>
      <pre>
        <code>npx periplus load FILE{into}</code>
      </pre>
      <LoadButton />
    </div>
  )
}

/** The range of the timeline, up to the newest document that came in. */
const extended = (time: Bounds, newest: number | undefined): Bounds =>
  newest === undefined || newest <= time.to ? time : { from: time.from, to: newest }

type Sheet = 'map' | 'filters' | 'time' | 'list'

const SHEETS: readonly { readonly sheet: Sheet; readonly icon: IconName; readonly name: string }[] = [
  { sheet: 'map', icon: 'map', name: 'Map' },
  { sheet: 'filters', icon: 'filter', name: 'Figures' },
  { sheet: 'time', icon: 'clock', name: 'Time' },
  { sheet: 'list', icon: 'list', name: 'List' },
]

function Explorer({ explored }: { readonly explored: Explored }) {
  const { list, document: shownDocument } = state.value
  const [sheet, setSheet] = useState<Sheet>('map')
  const look = useFirstLook(explored)
  useLive()
  const { overview, title, isEmpty, fault, retry } = look
  const columns = state.value.columns ?? look.columns
  const told = useMemo(
    () =>
      columns
        ?.filter((path) => path !== explored.paths.id && path !== explored.paths.time && path !== title)
        .slice(0, 4),
    [columns, title, explored],
  )
  const isDrawer = list || shownDocument !== undefined

  return (
    <main class="explorer" data-drawer={isDrawer} data-sheet={isDrawer ? 'list' : sheet}>
      <MapView told={told} title={title} />
      {isEmpty && <EmptyCollection />}
      <FilterBar />
      <Rail look={look} />
      <div class="time-slot">
        {fault !== undefined && <FaultMessage fault={fault} retry={retry} />}
        {overview === undefined && fault === undefined && !isEmpty && <Shimmer lines={2} />}
        {overview?.time !== undefined && <Timeline time={extended(overview.time, newestTime.value)} />}
        {overview !== undefined && overview.time === undefined && <p class="soft empty">No document has a time.</p>}
      </div>
      {isDrawer && (
        <aside class="drawer" aria-label={shownDocument === undefined ? 'Documents' : 'Document'}>
          {list && (
            <div hidden={shownDocument !== undefined}>
              {columns === undefined ? <Shimmer lines={12} /> : <ResultList columns={columns} />}
            </div>
          )}
          {shownDocument !== undefined && <DocumentPanel id={shownDocument} title={title} />}
        </aside>
      )}
      <nav class="sheets" aria-label="Views">
        {SHEETS.map(({ sheet: name, icon, name: label }) => (
          <button
            key={name}
            type="button"
            aria-pressed={isDrawer ? name === 'list' : name === sheet}
            onClick={() => {
              setSheet(name)
              change({ list: name === 'list', document: undefined }, name === 'list' ? 'push' : 'replace')
            }}
          >
            <Icon name={icon} /> {label}
          </button>
        ))}
      </nav>
    </main>
  )
}
