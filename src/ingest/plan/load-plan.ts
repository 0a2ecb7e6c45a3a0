import type { DateOrder } from '../../mapping/date-shapes.ts'
import type { Mapping } from '../../model/mapping.ts'
import type { InputFormat } from '../read/shared/input-format.ts'
import type { DocumentShape } from './document-shape.ts'
import type { FileOptions } from './file-set.ts'
import type { CollectionPaths } from './guess-paths.ts'

/** What a caller may state instead of what is found. */
export interface PlanOptions extends FileOptions {
  readonly idPath?: string
  readonly geometryPath?: string
  readonly centroidPath?: string
  readonly timestampPath?: string
  /** Fields with the longitude and latitude, or with the coordinates of the system of the file. */
  readonly lon?: string
  readonly lat?: string
  /** Field that receives the number of the row, and identifies the documents. */
  readonly rowId?: string
  /** Order of day and month in dates such as 05/06/1992. */
  readonly dateOrder?: DateOrder
}

/** How files become documents: everything that was found, assumed or stated. A caller corrects it with PlanOptions. */
export interface LoadPlan {
  readonly files: readonly PlannedFile[]
  readonly mapping: Mapping
  readonly paths: CollectionPaths
  readonly idFrom: 'stated' | 'found' | 'row' | 'nothing'
  readonly timestampFrom: 'stated' | 'found' | 'loaded' | 'nothing'
  readonly shape: DocumentShape
  readonly columns: readonly PlannedColumn[]
  /** Documents that were checked, and whether these are all. */
  readonly checked: { readonly documents: number; readonly isWhole: boolean; readonly misplaced: number }
  /** Sentences about what was assumed. */
  readonly notes: readonly string[]
}

export interface PlannedFile {
  readonly name: string
  readonly format: InputFormat
  /** Name of the coordinate system, if coordinates are converted. */
  readonly crs?: string
}

export interface PlannedColumn {
  readonly path: string
  readonly type: string
  readonly format?: string
  readonly example?: string
}

/** Describes a plan in sentences, for people. */
export function describePlan(plan: LoadPlan): readonly string[] {
  const { files, paths, shape, idFrom, timestampFrom, notes } = plan
  const read = files.slice(0, 5).map(({ name, format, crs }) => {
    const from = crs === undefined ? '' : `, coordinates in ${crs}`
    return `Reading ${name === '-' ? 'standard input' : name} as ${format}${from}.`
  })
  const more = files.length > 5 ? [`Reading ${files.length - 5} more files.`] : []
  return [
    ...read,
    ...more,
    ...notes,
    ...(idFrom === 'nothing' ? [] : [`Identifier: ${describeId(plan)}.`]),
    ...(paths.centroid === undefined ? [] : [`Place: ${describePlace(plan)}.`]),
    ...(timestampFrom === 'nothing' ? [] : [`Time: ${describeTime(paths.timestamp, timestampFrom)}.`]),
    ...(shape.texts.length === 0 ? [] : [`Years are dates: ${shape.texts.join(', ')}.`]),
  ]
}

function describeId({ paths, idFrom }: LoadPlan): string {
  return idFrom === 'row'
    ? `${paths.id}, the number of the row (no other field identifies a document)`
    : String(paths.id)
}

function describePlace({ shape: { place }, paths }: LoadPlan): string {
  switch (place?.kind) {
    case 'columns':
      return `${place.lon} and ${place.lat}`
    case 'pair':
      return `${place.field} (${place.order === 'lat-lon' ? 'latitude, longitude' : 'longitude, latitude'})`
    default:
      return String(paths.geometry)
  }
}

const describeTime = (path: string | undefined, from: LoadPlan['timestampFrom']): string =>
  from === 'loaded' ? `${path}, the moment of loading (no field has dates)` : String(path)
