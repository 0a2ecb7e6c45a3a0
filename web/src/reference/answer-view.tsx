import { useEffect } from 'preact/hooks'

/** A response as the page shows it. */
export interface Shown {
  readonly ok: boolean
  readonly headline: string
  readonly text?: string
  /** Address of an image or a file; released when another response is shown. */
  readonly image?: string
  readonly file?: string
}

const MOST_CHARACTERS = 200_000

export async function readAnswer(
  response: Response,
  ms: number,
): Promise<{ readonly shown: Shown; readonly body: unknown }> {
  const type = response.headers.get('content-type') ?? ''
  const content = await response.blob()
  const size = content.size.toLocaleString('en')
  const headline = `${response.status} ${response.statusText} · ${Math.round(ms)} ms · ${size} bytes · ${type.split(';')[0]}`
  const start = { ok: response.ok, headline }
  if (type.startsWith('image/')) return { shown: { ...start, image: URL.createObjectURL(content) }, body: undefined }
  if (!/json|text|xml/.test(type)) {
    const file = content.size === 0 ? {} : { file: URL.createObjectURL(content) }
    return { shown: { ...start, ...file }, body: undefined }
  }
  const text = await content.text()
  const body = parsed(text)
  const printed = body === undefined ? text : JSON.stringify(body, null, 2)
  const short = printed.length > MOST_CHARACTERS ? `${printed.slice(0, MOST_CHARACTERS)}\n...` : printed
  return { shown: { ...start, text: short }, body }
}

export const isStream = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/event-stream') === true

/** Shows the events of a stream as they arrive, until it ends. */
export async function readStream(response: Response, show: (shown: Shown) => void): Promise<void> {
  const headline = `${response.status} ${response.statusText} · events as they arrive`
  const decoder = new TextDecoder()
  let text = ''
  show({ ok: response.ok, headline, text })
  const reader = response.body?.getReader()
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    text = (text + decoder.decode(part.value, { stream: true })).slice(-MOST_CHARACTERS)
    show({ ok: response.ok, headline, text })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function AnswerView({ shown }: { readonly shown: Shown }) {
  const { ok, headline, text, image, file } = shown
  useEffect(
    () => () => {
      for (const address of [image, file]) if (address !== undefined) URL.revokeObjectURL(address)
    },
    [image, file],
  )
  return (
    <div class="answer">
      <p class={ok ? 'outcome' : 'outcome problem'} role="status">
        {headline}
      </p>
      {text !== undefined && text !== '' && (
        <section class="scroll" aria-label="Response" {...{ tabIndex: 0 }}>
          <pre>{text}</pre>
        </section>
      )}
      {image !== undefined && <img src={image} alt="Response" />}
      {file !== undefined && (
        <a href={file} download="">
          Save the file
        </a>
      )}
    </div>
  )
}
