/** The response of `_search`, as read by clients. */
export interface Hits {
  readonly collection: string
  readonly hits: readonly Hit[]
  readonly nbhits: number
  readonly totalnb: number
  readonly links: Readonly<Record<string, Link>>
}

interface Hit {
  readonly md: { readonly id?: string; readonly timestamp?: number }
  readonly data: Readonly<Record<string, unknown>>
}

export interface Link {
  readonly href: string
  readonly method: string
  readonly body?: unknown
}

export const idsOf = (hits: Hits): (string | undefined)[] => hits.hits.map((h) => h.md.id)
