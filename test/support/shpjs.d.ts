/** The used part of shpjs, which has no type declarations. */
declare module 'shpjs' {
  interface ShapefileFeature {
    readonly geometry: { readonly type: string; readonly coordinates: unknown }
    readonly properties: Readonly<Record<string, unknown>>
  }
  interface ReadShapefile {
    readonly fileName?: string
    readonly features: readonly ShapefileFeature[]
  }
  /** One per shapefile of a zip; not a list if there is only one. */
  export default function shp(zip: ArrayBuffer): Promise<ReadShapefile | readonly ReadShapefile[]>
}
