import { useState } from 'preact/hooks'
import type { Suggested } from '../api/answers.ts'
import { explorePath } from '../api/explore-path.ts'
import { useDelayed } from '../api/use-delayed.ts'
import { useQuery } from '../api/use-query.ts'
import { filterParameters, withoutChoice } from '../filters/chip.ts'
import { formatCount } from '../format/numbers.ts'
import { useExplored } from '../state/explored.ts'
import { state } from '../state/store.ts'

interface ValueSearchProps {
  readonly path: string
  readonly title: string
  readonly onChoose: (value: string) => void
}

/** Searches values of a keyword by prefix of the value or of one of its words. */
export function ValueSearch({ path, title, onChoose }: ValueSearchProps) {
  const { collection, fields } = useExplored()
  const [text, setText] = useState('')
  const delayed = useDelayed(text.trim(), 200)
  const isKeyword = fields.find((field) => field.path === path)?.type === 'KEYWORD'
  // `q` is the prefix here, so full-text filters cannot be sent with it
  const filters = filterParameters(withoutChoice(state.value.chips, path)).filter(([name]) => name === 'f')
  const request =
    delayed === ''
      ? undefined
      : explorePath(collection, '_suggest', [['field', path], ['q', delayed], ['size', '8'], ...filters])
  const { data } = useQuery<Suggested>(isKeyword ? request : undefined)
  if (!isKeyword) return null
  return (
    <div class="value-search">
      <input
        type="search"
        value={text}
        placeholder={`Find in ${title.toLowerCase()}`}
        aria-label={`Find values of ${title}`}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      {text !== '' && data !== undefined && (
        <ul class="suggestions">
          {data.suggestions.length === 0 && <li class="soft">No values start with this text.</li>}
          {data.suggestions.map(({ text: value, count }) => (
            <li key={value}>
              <button
                type="button"
                onClick={() => {
                  onChoose(value)
                  setText('')
                }}
              >
                <span>{value}</span>
                <span class="soft">{formatCount(count)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
