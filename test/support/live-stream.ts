/** An event of a live stream. */
export interface LiveEvent {
  readonly id: string
  readonly kind: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface LiveStream {
  readonly status: number
  readonly headers: Headers
  /** The next event; undefined at the end. */
  next(): Promise<LiveEvent | undefined>
  /** Adds up changes until the total is reached. */
  until(total: number): Promise<Readonly<Record<string, unknown>>>
  close(): void
}

/** Opens a live stream, as a client that knows the format of server-sent events does. */
export async function openLive(url: string, headers: Readonly<Record<string, string>> = {}): Promise<LiveStream> {
  const ended = new AbortController()
  const response = await fetch(url, { headers, signal: ended.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<LiveEvent | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const block = text.slice(0, end)
        text = text.slice(end + 2)
        const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? ''
        if (field('data') !== '') return { id: field('id'), kind: field('event'), data: JSON.parse(field('data')) }
        continue
      }
      const read = await reader?.read()
      if (read === undefined || read.done) return undefined
      text += read.value
    }
  }
  const until = async (total: number): Promise<Readonly<Record<string, unknown>>> => {
    const sums = { inserted: 0, updated: 0, deleted: 0 }
    for (let event = await next(); event !== undefined; event = await next()) {
      if (event.kind !== 'change') continue
      sums.inserted += Number(event.data.inserted)
      sums.updated += Number(event.data.updated)
      sums.deleted += Number(event.data.deleted)
      if (event.data.total === total) return { ...event.data, ...sums }
    }
    throw new Error(`the stream ended before there were ${total} documents`)
  }
  return { status: response.status, headers: response.headers, next, until, close: () => ended.abort() }
}
