/** An event of a stream of server-sent events. */
export interface ServerEvent {
  readonly id: string
  readonly kind: string
  readonly data: string
}

/** Reads the events of a response, in the format of WHATWG HTML 9.2; comments are left out. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncIterable<ServerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const blocks = `${rest}${decoder.decode(read.value, { stream: true })}`.split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event !== undefined) yield event
      }
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

/** Parses the lines of an event; undefined if it has no data. */
export function parseEvent(block: string): ServerEvent | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([a-z]+): ?(.*)$/.exec(line) ?? []
    if (name !== '') fields.set(name, value)
  }
  const data = fields.get('data')
  return data === undefined ? undefined : { id: fields.get('id') ?? '', kind: fields.get('event') ?? 'message', data }
}
