/** The parts of server answers that the page reads. */

export interface FieldDescription {
  readonly type: string
  readonly indexed: boolean
  readonly taggable: boolean
  readonly properties?: Readonly<Record<string, FieldDescription>>
}

export interface CollectionDescription {
  readonly collection_name: string
  readonly params: {
    readonly index_name?: string
    readonly id_path: string
    readonly geometry_path: string
    readonly centroid_path: string
    readonly timestamp_path: string
    readonly taggable_fields?: string
    readonly license_name?: string
    readonly display_names?: { readonly collection?: string; readonly fields?: Readonly<Record<string, string>> }
    readonly dublin_core_element_name?: { readonly description?: string }
    readonly atom_feed?: { readonly rights?: string }
    readonly open_search?: { readonly attribution?: string }
  }
  readonly properties: Readonly<Record<string, FieldDescription>>
}

export interface Counted {
  readonly totalnb: number
}

interface Figures {
  readonly type: string
  readonly field: string
  readonly value?: number
}

export interface Bucket {
  readonly count: number
  readonly key: string | number
  readonly key_as_string?: string
  readonly metrics?: readonly Figures[]
}

export interface Aggregated {
  readonly totalnb: number
  readonly sumotherdoccounts?: number
  readonly elements?: readonly Bucket[]
}

export interface Computed {
  readonly value?: number
  readonly geometry?: { readonly type: string; readonly coordinates: readonly (readonly (readonly number[])[])[] }
}

export interface Suggested {
  readonly suggestions: readonly { readonly field: string; readonly text: string; readonly count: number }[]
}

export interface Hit {
  readonly md: {
    readonly id?: string
    readonly timestamp?: number
    readonly geometry?: GeoJSON.Geometry
    readonly centroid?: GeoJSON.Geometry
  }
  readonly data: Readonly<Record<string, unknown>>
}

export interface Hits {
  readonly hits: readonly Hit[]
  readonly totalnb: number
  readonly links: { readonly next?: { readonly href: string } }
}
