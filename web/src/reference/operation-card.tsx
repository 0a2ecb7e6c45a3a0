import { useEffect, useState } from 'preact/hooks'
import { MemberLine } from './member-line.tsx'
import type { Answer, Parameter, Resolve } from './openapi.ts'
import type { NamedOperation } from './operations.ts'
import { Line, Prose } from './prose.tsx'
import { RequestForm } from './request-form.tsx'
import { SchemaView } from './schema-view.tsx'

interface CardProps {
  readonly operation: NamedOperation
  readonly resolve: Resolve
  readonly open: boolean
}

/** An operation. Its content is rendered when it is opened, because most never are. */
export function OperationCard({ operation, resolve, open: wanted }: CardProps) {
  const [open, setOpen] = useState(wanted)
  const { id, method, path, summary = '', deprecated } = operation
  useEffect(() => {
    if (wanted) setOpen(true)
  }, [wanted])
  return (
    <details
      class="operation"
      id={id}
      open={open}
      onToggle={(event) => event.target === event.currentTarget && setOpen(event.currentTarget.open)}
    >
      <summary>
        <span class={`method ${method}`}>{method.toUpperCase()}</span>
        <code class="path">{path}</code>
        <span class="soft">
          {summary}
          {deprecated === true && ' (deprecated)'}
        </span>
      </summary>
      {open && <OperationContent operation={operation} resolve={resolve} />}
    </details>
  )
}

function OperationContent({ operation, resolve }: Omit<CardProps, 'open'>) {
  const { description = '', parameters, requestBody, responses } = operation
  const old = parameters.filter(({ deprecated }) => deprecated === true)
  const current = parameters.filter(({ deprecated }) => deprecated !== true)
  const answers = Object.entries(responses).map(([status, answer]) => ({ status, answer: resolve(answer) }))
  return (
    <div class="content">
      {description !== '' && <Prose markdown={description} />}
      <h3>Example</h3>
      <RequestForm operation={operation} resolve={resolve} />
      {current.length > 0 && (
        <>
          <h3>Parameters</h3>
          <Parameters parameters={current} resolve={resolve} />
        </>
      )}
      {old.length > 0 && (
        <details class="deprecated">
          <summary>Deprecated parameters ({old.length})</summary>
          <Parameters parameters={old} resolve={resolve} />
        </details>
      )}
      {Object.entries(requestBody?.content ?? {}).map(([type, { schema }], i) => (
        <section key={type}>
          <h3>Body, {type}</h3>
          {schema !== undefined && i === 0 && <SchemaView schema={schema} resolve={resolve} />}
          {i > 0 && <p class="soft">The same.</p>}
        </section>
      ))}
      {answers
        .filter(({ status }) => status < '400')
        .map(({ status, answer }) => (
          <AnswerSection key={status} status={status} answer={answer} resolve={resolve} />
        ))}
      <details>
        <summary>Errors</summary>
        <ul class="errors">
          {answers
            .filter(({ status }) => status >= '400')
            .map(({ status, answer }) => (
              <li key={status}>
                <strong>{status}</strong> <Line text={answer.description ?? ''} />
              </li>
            ))}
        </ul>
      </details>
    </div>
  )
}

function AnswerSection({
  status,
  answer,
  resolve,
}: {
  readonly status: string
  readonly answer: Answer
  readonly resolve: Resolve
}) {
  const types = Object.keys(answer.content ?? {})
  const schema = Object.values(answer.content ?? {})[0]?.schema
  return (
    <section>
      <h3>
        Response {status}
        {types.length > 0 && <span class="soft">, {types.join(', ')}</span>}
      </h3>
      {schema !== undefined && <SchemaView schema={schema} resolve={resolve} />}
    </section>
  )
}

function Parameters({ parameters, resolve }: { readonly parameters: readonly Parameter[]; readonly resolve: Resolve }) {
  return (
    <ul class="members">
      {parameters.map(({ name, in: place, required, schema = {}, description = '' }) => (
        <li key={name}>
          <MemberLine
            {...{ name, schema, description, resolve }}
            isRequired={required === true}
            {...(place === 'query' ? {} : { place })}
          />
        </li>
      ))}
    </ul>
  )
}
