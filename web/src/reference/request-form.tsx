import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { base } from '../api/request.ts'
import { authorization, signInWanted, token } from '../api/session.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { AnswerView, isStream, readAnswer, readStream, type Shown } from './answer-view.tsx'
import { bodyToSend, callOf, curlText } from './call.ts'
import { exampleOf, hintOf, learnedFrom } from './examples.ts'
import type { Parameter, Resolve } from './openapi.ts'
import { isChange, type NamedOperation } from './operations.ts'
import { changesAllowed, known, sample } from './sample-reader.ts'

/** Edits and sends the example of an operation. */
export function RequestForm({ operation, resolve }: { readonly operation: NamedOperation; readonly resolve: Resolve }) {
  const [changed, setChanged] = useState<Readonly<Record<string, string>>>({})
  const [text, setText] = useState<string | undefined>(undefined)
  const [shown, setShown] = useState<Shown | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const [isStreaming, setStreaming] = useState(false)
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const example = useMemo(() => exampleOf(operation, sample.value, known.value), [operation, sample.value, known.value])
  const values = { ...example.values, ...changed }
  const body = text ?? example.body?.text ?? ''
  const call = callOf(operation, { values, body, type: example.body?.type })
  const missing = operation.parameters.filter(({ name, required }) => required === true && (values[name] ?? '') === '')
  const refused = isChange(operation) && !changesAllowed.value

  const run = async (): Promise<void> => {
    setBusy(true)
    const start = performance.now()
    stop.current = new AbortController()
    const { signal } = stop.current
    try {
      const sent = bodyToSend(call)
      const response = await fetch(new URL(call.path, base), {
        method: call.method,
        headers: { ...authorization(), ...call.headers },
        signal,
        ...(sent === undefined ? {} : { body: sent }),
      })
      if (response.status === 401) signInWanted.value = true
      setStreaming(isStream(response))
      if (isStream(response)) {
        await readStream(response, setShown)
        return
      }
      const answer = await readAnswer(response, performance.now() - start)
      if (response.ok) known.value = learnedFrom(operation, answer.body, known.value)
      setShown(answer.shown)
    } catch (error) {
      if (signal.aborted) return
      setShown({ ok: false, headline: `The request failed: ${error instanceof Error ? error.message : error}` })
    } finally {
      setBusy(false)
      setStreaming(false)
    }
  }

  const field = (parameter: Parameter) => (
    <Field
      key={parameter.name}
      id={`${operation.id}-${parameter.name}`}
      parameter={parameter}
      resolve={resolve}
      value={values[parameter.name] ?? ''}
      onValue={(value) => setChanged({ ...changed, [parameter.name]: value })}
    />
  )
  const old = operation.parameters.filter(({ deprecated }) => deprecated === true)
  const rare = operation.parameters.filter((one) => one.in === 'header')
  const others = operation.parameters.filter((one) => !old.includes(one) && !rare.includes(one))
  const usual = others.filter(({ name, required }) => required === true || name in example.values)
  const more = others.filter((one) => !usual.includes(one))
  return (
    <form
      class="request"
      onSubmit={(event) => {
        event.preventDefault()
        void run()
      }}
    >
      {usual.map(field)}
      <FoldedFields title="More parameters" parameters={more} field={field} />
      <FoldedFields title="Headers" parameters={rare} field={field} />
      <FoldedFields title="Deprecated parameters" parameters={old} field={field} kind="deprecated" />
      {operation.requestBody !== undefined && (
        <label class="body">
          <span>Body, {example.body?.type}</span>
          <textarea
            rows={Math.min(16, body.split('\n').length + 1)}
            spellcheck={false}
            value={body}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
      )}
      <div class="curl">
        <section class="scroll" aria-label="As a curl command" {...{ tabIndex: 0 }}>
          <pre>{curlText(call, base, token.value !== undefined)}</pre>
        </section>
        <CopyButton icon="terminal" label="Copy as curl" text={() => curlText(call, base, token.value !== undefined)} />
      </div>
      <div class="row">
        <button type="submit" class="button primary" disabled={busy || refused || missing.length > 0}>
          Send
        </button>
        {isStreaming && (
          <button type="button" class="button" onClick={() => stop.current?.abort()}>
            Stop
          </button>
        )}
        {refused && (
          <button type="button" class="button" onClick={() => (changesAllowed.value = true)}>
            Allow requests that change data
          </button>
        )}
        {missing.length > 0 && <span class="soft">Needs {missing.map(({ name }) => name).join(', ')}</span>}
      </div>
      {shown !== undefined && <AnswerView shown={shown} />}
    </form>
  )
}

interface FoldedProps {
  readonly title: string
  readonly parameters: readonly Parameter[]
  readonly field: (parameter: Parameter) => ComponentChildren
  readonly kind?: string
}

function FoldedFields({ title, parameters, field, kind }: FoldedProps) {
  if (parameters.length === 0) return null
  return (
    <details class={kind}>
      <summary>
        {title} ({parameters.length})
      </summary>
      {parameters.map(field)}
    </details>
  )
}

interface FieldProps {
  readonly id: string
  readonly parameter: Parameter
  readonly resolve: Resolve
  readonly value: string
  readonly onValue: (value: string) => void
}

function Field({ id, parameter, resolve, value, onValue }: FieldProps) {
  const { name, required, schema = {} } = parameter
  const { type, enum: words } = resolve(schema)
  const choices = type === 'boolean' ? ['true', 'false'] : words?.map(String)
  const common = { id, name, placeholder: hintOf(parameter, sample.value) }
  return (
    <div class="field">
      <label for={id}>
        <code>{name}</code>
        {required === true && <span class="required"> required</span>}
      </label>
      {choices !== undefined ? (
        <select id={id} name={name} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
          <option value="" />
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : type === 'array' ? (
        <textarea
          {...common}
          rows={Math.max(1, value.split('\n').length)}
          title="One value per line"
          spellcheck={false}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      ) : (
        <input
          {...common}
          autocomplete="off"
          spellcheck={false}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </div>
  )
}
