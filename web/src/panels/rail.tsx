import { isNumber, isRanked } from '../api/collection-fields.ts'
import { Icon } from '../parts/icon.tsx'
import { Shimmer } from '../parts/messages.tsx'
import { Popover } from '../parts/popover.tsx'
import { useExplored } from '../state/explored.ts'
import { change, state } from '../state/store.ts'
import type { FirstLook } from '../state/use-first-look.ts'
import { Counter } from '../widgets/counter.tsx'
import { Histogram } from '../widgets/histogram.tsx'
import { MetricChoice } from '../widgets/metric-choice.tsx'
import { Ranking } from '../widgets/ranking.tsx'

/** Left column: the document count and the distributions. */
export function Rail({ look: { overview, isEmpty, fault } }: { readonly look: FirstLook }) {
  const { description } = useExplored()
  const rankings = state.value.rankings ?? overview?.rankings ?? []
  const histograms = state.value.histograms ?? overview?.histograms ?? []
  const isLoading = overview === undefined && fault === undefined && !isEmpty
  return (
    <aside class="rail" aria-label="Filters and figures">
      <Counter />
      <MetricChoice />
      {isLoading && rankings.length + histograms.length === 0 && <Shimmer lines={8} />}
      {rankings.map((path) => (
        <Ranking
          key={path}
          path={path}
          onRemove={() => change({ rankings: rankings.filter((other) => other !== path) })}
        />
      ))}
      {histograms.map((path) => (
        <Histogram
          key={path}
          path={path}
          isLoading={isLoading}
          bounds={overview?.numbers.get(path)}
          onRemove={() => change({ histograms: histograms.filter((other) => other !== path) })}
        />
      ))}
      {!isLoading && !isEmpty && <AddWidget rankings={rankings} histograms={histograms} />}
      <footer class="rail-foot soft">
        {description.params.dublin_core_element_name?.description}
        {description.params.license_name !== undefined && <> · {description.params.license_name}</>}
        <div>
          <a href="docs">API</a> · <a href="status-page">Status</a>
        </div>
      </footer>
    </aside>
  )
}

function AddWidget({
  rankings,
  histograms,
}: {
  readonly rankings: readonly string[]
  readonly histograms: readonly string[]
}) {
  const { fields, paths } = useExplored()
  const keywords = fields.filter(
    (field) => isRanked(field) && field.path !== paths.id && !rankings.includes(field.path),
  )
  const numbers = fields.filter((field) => isNumber(field) && !histograms.includes(field.path))
  if (keywords.length + numbers.length === 0) return null
  return (
    <Popover
      label="Add a widget: a ranking or a histogram"
      button={
        <>
          <Icon name="plus" size={14} /> Add a widget
        </>
      }
      buttonClass="button ghost"
    >
      {(close) => (
        <div class="add-widget">
          {keywords.length > 0 && <h3>Rankings</h3>}
          <ul>
            {keywords.map(({ path, name }) => (
              <li key={path}>
                <button
                  type="button"
                  onClick={() => {
                    change({ rankings: [...rankings, path] })
                    close()
                  }}
                >
                  <span>{name}</span> <span class="soft">{path}</span>
                </button>
              </li>
            ))}
          </ul>
          {numbers.length > 0 && <h3>Histograms</h3>}
          <ul>
            {numbers.map(({ path, name }) => (
              <li key={path}>
                <button
                  type="button"
                  onClick={() => {
                    change({ histograms: [...histograms, path] })
                    close()
                  }}
                >
                  <span>{name}</span> <span class="soft">{path}</span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Popover>
  )
}
