import type { JsonObject } from '../model/document.ts'

/** A document where it lies in the body of a request, known to be a JSON object; decoded and parsed when asked for. */
export class BodyDocument {
  readonly kind = 'document'
  readonly body: Buffer
  readonly start: number
  readonly end: number

  constructor(body: Buffer, start: number, end: number) {
    this.body = body
    this.start = start
    this.end = end
  }

  get text(): string {
    return this.body.toString('utf8', this.start, this.end)
  }

  get source(): JsonObject {
    return JSON.parse(this.text)
  }
}

/** Writes a document of a body; thousands of parsed documents held at once would cost more than parsing them does. */
export class BodyDocumentWrite {
  readonly kind: 'index' | 'create'
  readonly id?: string
  readonly document: BodyDocument

  constructor(kind: 'index' | 'create', id: string | undefined, document: BodyDocument) {
    this.kind = kind
    if (id !== undefined) this.id = id
    this.document = document
  }

  get text(): string {
    return this.document.text
  }

  get source(): JsonObject {
    return this.document.source
  }
}
