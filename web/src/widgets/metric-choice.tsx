import { isNumber } from '../api/collection-fields.ts'
import { useExplored } from '../state/explored.ts'
import { type Figure, figures } from '../state/explorer-state.ts'
import { change, state } from '../state/store.ts'

const NAMES: Readonly<Record<Figure, string>> = {
  avg: 'Average',
  min: 'Lowest',
  max: 'Highest',
  sum: 'Sum',
  cardinality: 'Distinct values',
}

/** Selects the value shown by the widgets: the document count, or a metric of a field. */
export function MetricChoice() {
  const { fields } = useExplored()
  const { metric } = state.value
  const numbers = fields.filter(isNumber)
  const field = metric?.field ?? numbers[0]?.path
  return (
    <div class="metric">
      <label>
        <span>Show</span>
        <select
          value={metric?.fct ?? 'count'}
          onChange={(event) => {
            const fct = figures.find((figure) => figure === event.currentTarget.value)
            change({ metric: fct === undefined || field === undefined ? undefined : { fct, field } })
          }}
        >
          <option value="count">Number of documents</option>
          {numbers.length > 0 &&
            figures.map((figure) => (
              <option key={figure} value={figure}>
                {NAMES[figure]}
              </option>
            ))}
        </select>
      </label>
      {metric !== undefined && (
        <label>
          <span>of</span>
          <select
            value={metric.field}
            onChange={(event) => change({ metric: { ...metric, field: event.currentTarget.value } })}
          >
            {numbers.map(({ path, name }) => (
              <option key={path} value={path}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  )
}
