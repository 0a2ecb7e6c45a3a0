/** The part of shpjs that the tests use; the package brings no types. */
declare module 'shpjs' {
  interface ShapefileFeature {
    readonly geometry: { readonly type: string; readonly coordinates: unknown }
    readonly properties: Readonly<Record<string, unknown>>
  }
  interface ReadShapefile {
    readonly fileName?: string
    readonly features: readonly ShapefileFeature[]
  }
  /** One for each shapefile of a zip; not a list when it is the only one. */
  export default function shp(zip: ArrayBuffer): Promise<ReadShapefile | readonly ReadShapefile[]>
}
