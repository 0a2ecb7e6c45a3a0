import type { JsonObject } from '../model/json/document.ts'

/** A document as a byte range of a request body. Known to be a JSON object; decoded and parsed on access. */
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

/**
 * Write of a document in a request body. Parses on access: holding thousands of parsed documents costs more than
 * parsing.
 */
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
