import { useState } from 'preact/hooks'
import { MemberLine } from './member-line.tsx'
import type { Resolve, Schema } from './openapi.ts'
import { Line } from './prose.tsx'
import { type Member, membersOf, typeWords } from './schema-words.ts'

interface SchemaProps {
  readonly schema: Schema
  readonly resolve: Resolve
}

/** The members of a body, one below the other. Members of members, and deprecated ones, are folded. */
export function SchemaView({ schema, resolve }: SchemaProps) {
  const members = membersOf(schema, resolve)
  const { description = '' } = resolve(schema)
  return (
    <div class="schema">
      <p class="soft">
        <code>{typeWords(schema, resolve)}</code> {members.length === 0 && <Line text={description} />}
      </p>
      <Members members={members} resolve={resolve} />
    </div>
  )
}

function Members({ members, resolve }: { readonly members: readonly Member[]; readonly resolve: Resolve }) {
  const old = members.filter(({ isDeprecated }) => isDeprecated)
  const current = members.filter(({ isDeprecated }) => !isDeprecated)
  const list = (some: readonly Member[]) => (
    <ul class="members">
      {some.map((member) => (
        <MemberView key={member.name} member={member} resolve={resolve} />
      ))}
    </ul>
  )
  return (
    <>
      {current.length > 0 && list(current)}
      {old.length > 0 && (
        <details class="deprecated">
          <summary>Deprecated members ({old.length})</summary>
          {list(old)}
        </details>
      )}
    </>
  )
}

function MemberView({ member, resolve }: { readonly member: Member; readonly resolve: Resolve }) {
  const [open, setOpen] = useState(false)
  const { name, schema, isRequired } = member
  const inner = membersOf(schema, resolve)
  const description = schema.description ?? resolve(schema).description ?? ''
  return (
    <li>
      <MemberLine {...{ name, schema, isRequired, description, resolve }} />
      {inner.length > 0 && (
        // rendered when opened, because some objects contain themselves
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Members of {name}</summary>
          {open && <Members members={inner} resolve={resolve} />}
        </details>
      )}
    </li>
  )
}
