import type { Resolve, Schema } from './openapi.ts'
import { Line } from './prose.tsx'
import { ruleWords, typeWords } from './schema-words.ts'

interface MemberLineProps {
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
  readonly description: string
  /** Where a parameter is, unless it is in the query. */
  readonly place?: string
  readonly resolve: Resolve
}

/** Name, type and rules of a parameter or of a member of a body, and what it means. */
export function MemberLine({ name, schema, isRequired, description, place, resolve }: MemberLineProps) {
  return (
    <>
      <p>
        <code class="name">{name}</code> <span class="type">{typeWords(schema, resolve)}</span>
        {place !== undefined && <span class="rule"> · {place}</span>}
        {isRequired && <span class="required"> required</span>}
        {ruleWords(schema, resolve).map((rule) => (
          <span class="rule" key={rule}>
            {' '}
            · {rule}
          </span>
        ))}
      </p>
      {description !== '' && (
        <p class="soft">
          <Line text={description} />
        </p>
      )}
    </>
  )
}
