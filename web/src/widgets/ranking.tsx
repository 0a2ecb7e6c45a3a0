import { useState } from 'preact/hooks'
import type { Aggregated, Bucket } from '../api/answers.ts'
import { useQuery } from '../api/use-query.ts'
import { chosenValues, toggleValue, withoutChoice } from '../filters/chip.ts'
import { formatCount, formatShort } from '../format/numbers.ts'
import { beat } from '../live/live.ts'
import { CurlButton } from '../parts/copy-button.tsx'
import { FaultMessage, Shimmer } from '../parts/messages.tsx'
import { MiddleCut } from '../parts/middle-cut.tsx'
import { Section } from '../parts/section.tsx'
import { fieldName, useExplored } from '../state/explored.ts'
import { setChips, state } from '../state/store.ts'
import { aggregatePath, bucketValue, metricPart } from '../state/widget-query.ts'
import { ValueSearch } from './value-search.tsx'

const FEW = 6
const MANY = 40

/** Values of a keyword, sorted by count or by the chosen metric. */
export function Ranking({ path, onRemove }: { readonly path: string; readonly onRemove: () => void }) {
  const explored = useExplored()
  const { chips, metric } = state.value
  const [size, setSize] = useState(FEW)
  const order = metric === undefined ? '' : ':order-desc:on-result'
  const others = withoutChoice(chips, path)
  const request = aggregatePath(explored.collection, `term:${path}:size-${size}${metricPart(metric)}${order}`, others)
  const title = fieldName(explored, path)
  return (
    <Section title={title} tools={<CurlButton path={request} />} onRemove={onRemove}>
      {() => <RankingBody path={path} title={title} request={request} size={size} onSize={setSize} />}
    </Section>
  )
}

interface BodyProps {
  readonly path: string
  readonly title: string
  readonly request: string
  readonly size: number
  readonly onSize: (size: number) => void
}

function RankingBody({ path, title, request, size, onSize }: BodyProps) {
  const { data, fault, loading, retry } = useQuery<Aggregated>(request, beat.value)
  const { chips, metric } = state.value
  const chosen = chosenValues(chips, path)
  if (fault !== undefined) return <FaultMessage fault={fault} retry={retry} />
  if (data === undefined) return <Shimmer lines={4} />
  const buckets = data.elements ?? []
  const values = buckets.map((bucket) => bucketValue(bucket, metric) ?? 0)
  const most = Math.max(...values.map(Math.abs), Number.MIN_VALUE)
  const shown = new Set(buckets.map(nameOf))
  const toggle = (value: string): void => setChips(toggleValue(chips, path, value))
  // a document may have several values, so the counts of the others do not add up to documents
  const hasMore = (data.sumotherdoccounts ?? 0) > 0
  return (
    <div class="ranking" data-loading={loading}>
      <ValueSearch path={path} title={title} onChoose={toggle} />
      {buckets.length === 0 && <p class="soft">No values among these documents.</p>}
      <ul>
        {buckets.map((bucket, i) => (
          <RankedValue
            key={nameOf(bucket)}
            name={nameOf(bucket)}
            value={values[i] ?? 0}
            share={Math.abs(values[i] ?? 0) / most}
            count={bucket.count}
            isChosen={chosen.includes(nameOf(bucket))}
            isDim={chosen.length > 0}
            onToggle={toggle}
          />
        ))}
        {chosen
          .filter((value) => !shown.has(value))
          .map((value) => (
            <RankedValue key={value} name={value} share={0} isChosen isDim onToggle={toggle} />
          ))}
      </ul>
      {(hasMore || size > FEW) && (
        <button type="button" class="more" onClick={() => onSize(size > FEW ? FEW : MANY)}>
          {size > FEW ? 'Show fewer' : 'More values'}
        </button>
      )}
    </div>
  )
}

const formatShown = (value: number, count: number | undefined): string =>
  value === count ? formatCount(value) : formatShort(value)

/** Booleans have the keys 0 and 1, and their names in key_as_string. */
const nameOf = ({ key, key_as_string }: Bucket): string => key_as_string ?? String(key)

interface RankedProps {
  readonly name: string
  readonly value?: number
  readonly count?: number
  readonly share: number
  readonly isChosen: boolean
  readonly isDim: boolean
  readonly onToggle: (value: string) => void
}

function RankedValue({ name, value, count, share, isChosen, isDim, onToggle }: RankedProps) {
  return (
    <li>
      <button
        type="button"
        class="ranked"
        aria-pressed={isChosen}
        data-dim={isDim && !isChosen}
        title={count === undefined ? name : `${name}: ${formatCount(count)}`}
        onClick={() => onToggle(name)}
      >
        <i class="ranked-bar" style={{ width: `${100 * share}%` }} />
        <MiddleCut text={name === '' ? '(empty)' : name} />
        {value !== undefined && <span class="unseen">: </span>}
        <span class="ranked-value">{value === undefined ? '' : formatShown(value, count)}</span>
      </button>
    </li>
  )
}
