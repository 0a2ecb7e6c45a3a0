import { useState } from 'preact/hooks'
import type { Counted } from '../api/answers.ts'
import { type CollectionField, isGeo } from '../api/collection-fields.ts'
import { useDelayed } from '../api/use-delayed.ts'
import { useQuery } from '../api/use-query.ts'
import { type Chip, chip } from '../filters/chip.ts'
import { operators, parseGroup, printTriplet } from '../filters/triplet.ts'
import { formatDocuments } from '../format/numbers.ts'
import { Modal } from '../parts/modal.tsx'
import { useExplored } from '../state/explored.ts'
import { countPath } from '../state/widget-query.ts'

interface FilterEditorProps {
  readonly one: Chip | undefined
  readonly others: readonly Chip[]
  readonly onClose: () => void
  readonly onSave: (next: Chip) => void
}

/** Text editor of a filter, validated by the server while typing. */
export function FilterEditor({ one, others, onClose, onSave }: FilterEditorProps) {
  const { collection } = useExplored()
  const kind = one?.kind ?? 'f'
  const [text, setText] = useState(one?.text ?? '')
  const asked = useDelayed(text.trim(), 250)
  const { data, fault, loading } = useQuery<Counted>(
    asked === '' ? undefined : countPath(collection, [...others, chip(asked, kind)]),
  )
  const isCurrent = asked === text.trim() && !loading
  const isValid = isCurrent && data !== undefined && fault === undefined
  return (
    <Modal title={one === undefined ? 'Add a filter' : 'Edit the filter'} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (isValid) onSave({ kind, text: text.trim(), off: one?.off ?? false })
        }}
      >
        {kind === 'f' && <TripletFields text={text} onText={setText} />}
        <label>
          {kind === 'f' ? 'As text: field:operator:value, alternatives separated by ;' : 'Text to search for'}
          <textarea
            rows={2}
            spellcheck={false}
            value={text}
            aria-invalid={fault !== undefined}
            aria-describedby="filter-check"
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <p id="filter-check" class={fault === undefined ? 'check' : 'problem'} role="status">
          {fault !== undefined
            ? fault.message
            : isValid
              ? `${formatDocuments(data.totalnb)} ${data.totalnb === 1 ? 'matches' : 'match'} with this filter`
              : text.trim() === ''
                ? 'For example mag:gte:5'
                : 'Checking…'}
        </p>
        <div class="row end">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary" disabled={!isValid}>
            {one === undefined ? 'Add' : 'Save'}
          </button>
        </div>
      </form>
    </Modal>
  )
}

/** Three inputs for the first condition, for users who do not know the filter language. */
function TripletFields({ text, onText }: { readonly text: string; readonly onText: (text: string) => void }) {
  const { fields, paths } = useExplored()
  const usable = fields.filter(({ indexed }) => indexed)
  const groups = parseGroup(text)
  const [first] = groups ?? []
  const [field, setField] = useState(first?.field ?? usable.find(({ path }) => path !== paths.id)?.path ?? '')
  const [op, setOp] = useState(first?.op ?? 'eq')
  const [value, setValue] = useState(first?.value ?? '')
  if (groups !== undefined && groups.length > 1) return null
  const put = (next: { readonly field?: string; readonly op?: string; readonly value?: string }): void => {
    const made = { field, op, value, ...next }
    const kind = usable.find(({ path }) => path === made.field)
    const op2 = kind !== undefined && !operatorsOf(kind).includes(made.op) ? (operatorsOf(kind)[0] ?? 'eq') : made.op
    setField(made.field)
    setOp(op2)
    setValue(made.value)
    onText(made.value === '' ? '' : printTriplet({ ...made, op: op2 }))
  }
  const known = usable.find(({ path }) => path === field)
  return (
    <div class="triplet">
      <select aria-label="Field" value={field} onChange={(event) => put({ field: event.currentTarget.value })}>
        {known === undefined && <option value={field}>{field}</option>}
        {usable.map(({ path, name }) => (
          <option key={path} value={path}>
            {name}
          </option>
        ))}
      </select>
      <select aria-label="Operator" value={op} onChange={(event) => put({ op: event.currentTarget.value })}>
        {(known === undefined ? operators : operatorsOf(known)).map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <input
        aria-label="Value"
        value={value}
        placeholder={op === 'range' ? '[1<5]' : 'value'}
        onInput={(event) => put({ value: event.currentTarget.value })}
      />
    </div>
  )
}

const COMPARED = ['gte', 'gt', 'lte', 'lt', 'range']

function operatorsOf(field: CollectionField): readonly string[] {
  if (isGeo(field)) return ['within', 'notwithin', 'intersects', 'notintersects']
  if (field.type === 'KEYWORD') return ['eq', 'ne', 'like', ...COMPARED]
  if (field.type === 'TEXT') return ['like', 'eq', 'ne']
  if (field.type === 'BOOLEAN' || field.type === 'IP') return ['eq', 'ne']
  return [...COMPARED, 'eq', 'ne']
}
