import { withMostlyDates } from '../../mapping/date-fields.ts'
import { dateOrderOf, withDateOrder } from '../../mapping/date-shapes.ts'
import { namesTime, rankId } from '../../mapping/field-names.ts'
import { inferMapping } from '../../mapping/infer-mapping.ts'
import type { JsonObject } from '../../model/json/document.ts'
import { valueAt } from '../../model/json/json-object.ts'
import type { Mapping, MappingField } from '../../model/mapping.ts'
import { isBroken } from '../row.ts'
import { InputFault } from '../source/input-fault.ts'
import { RowCheck } from './check-rows.ts'
import { type DocumentShape, shapeDocument } from './document-shape.ts'
import type { FileSet, Sample } from './file-set.ts'
import { checkPlaced, findPlace } from './find-place.ts'
import { type CollectionPaths, datePaths, guessPaths, idCandidates } from './guess-paths.ts'
import type { LoadPlan, PlannedColumn, PlanOptions } from './load-plan.ts'
import { findYear, readAsDate } from './year-fields.ts'

/** What the documents are loaded into. */
export interface PlanTarget {
  /** Mapping to use instead of the inferred one: of an index that exists, or stated. */
  readonly mapping?: Mapping
  /** True if the documents become a collection, which needs an identifier, a place and a time. */
  readonly isCollection: boolean
  /** Paths of the collection, if it exists and the documents are added to it. */
  readonly paths?: CollectionPaths
  /** More documents follow: a field without repeated values may have some later. */
  readonly grows?: boolean
  /** The moment of loading. */
  readonly now: number
}

/** Bytes of files that are read a second time to check all rows; of larger ones the first rows are checked. */
const CHECKED_BYTES = 64 * 1024 * 1024
/** Rows that are checked at most: compressed files have many in few bytes. */
const CHECKED_ROWS = 1_000_000
const LOADED_FIELD = 'loaded_at'
const ROW_FIELD = 'row'

/**
 * Reads the beginning of the files, or all of them if they are not large, and decides how they become documents.
 * Throws InputFault with what to state if that cannot be decided, before anything is written.
 */
export async function makePlan(files: FileSet, options: PlanOptions, target: PlanTarget): Promise<LoadPlan> {
  const sample = await files.sample()
  if (sample.documents.length === 0) refuseEmpty(sample, files)
  const raw = sample.documents.map(({ document }) => document)
  checkNames(options, raw)
  const place = findPlace(options, sample, target.mapping)
  const dated = dateFields(options, place.shape, raw)
  const shape: DocumentShape = { ...place.shape, texts: dated.texts }
  const shaped = shapeAll(sample, shape)
  const inferred = dated.revise(withMostlyDates(inferMapping(shaped), shaped, options.timestampPath))
  // If all are out of range, that is what is wrong.
  if (target.isCollection && shaped.length > 0) {
    checkPlaced(target.mapping ?? inferred, shaped, options, target.paths)
  }
  const ambiguous = ambiguousFields(inferred, raw)
  const candidates = idCandidates(inferred, shaped)
  const check = new RowCheck(shape, candidates, ambiguous)
  const isWhole = await checkRows(files, sample, check)
  refuseMisplaced(check, options)
  const ordered = orderDates(inferred, ambiguous, check, options)
  const mapping = target.mapping ?? ordered.mapping
  const { id: _unchecked, ...others } = guessPaths(mapping, shaped)
  const id = idOf(check.unique, isWhole && target.grows !== true)
  const guessed: CollectionPaths = id === undefined ? others : { ...others, id }
  const notes = [...sample.files.flatMap((file) => file.notes), ...place.notes, ...ordered.notes]
  return complete({ sample, shape, mapping, guessed, notes, check, isWhole, shaped }, options, target)
}

function refuseEmpty({ broken }: Sample, { sources }: FileSet): never {
  const name = sources.map((source) => source.name).join(', ')
  if (broken === undefined) throw new InputFault(`${name} is empty.`)
  throw new InputFault(
    `${broken.file} contains no valid document: line ${broken.line} ${broken.reason}; check --format.`,
  )
}

/** Fields the caller names must exist. */
function checkNames(options: PlanOptions, sample: readonly JsonObject[]): void {
  const names = [...new Set(sample.flatMap((document) => Object.keys(document)))]
  const stated = [options.lon, options.lat, options.idPath, options.geometryPath, options.timestampPath]
  for (const field of stated) {
    if (field === undefined || names.includes(field)) continue
    if (sample.some((document) => valueAt(document, field) !== undefined)) continue
    throw new InputFault(`Field ${field} does not exist: the documents have ${names.slice(0, 50).join(', ')}.`)
  }
}

/** Returns the fields to write as text because a date format reads them, and the mapping with these as dates. */
function dateFields(options: PlanOptions, shape: DocumentShape, sample: readonly JsonObject[]) {
  const { timestampPath } = options
  const inferred = withMostlyDates(inferMapping(sample), sample, timestampPath)
  const hasDate = datePaths(inferred).length > 0
  const name = timestampPath ?? (hasDate ? undefined : findYear(inferred, sample))
  const isDate = name !== undefined && datePaths(inferred).includes(name)
  const revised = name === undefined || isDate ? undefined : readAsDate(name, sample)
  if (name === undefined || revised === undefined) return { texts: shape.texts, revise: (mapping: Mapping) => mapping }
  return {
    texts: revised.asText ? [...shape.texts, name] : shape.texts,
    revise: (mapping: Mapping): Mapping => ({
      ...mapping,
      properties: { ...mapping.properties, [name]: revised.field },
    }),
  }
}

const shapeAll = ({ documents }: Sample, shape: DocumentShape): readonly JsonObject[] =>
  documents.flatMap(({ document, crs }, at) => {
    const shaped = shapeDocument(document, at + 1, shape, crs)
    return typeof shaped === 'string' ? [] : [shaped]
  })

/** Date fields of which no value of the sample tells whether the day or the month is first. */
function ambiguousFields({ properties }: Mapping, sample: readonly JsonObject[]): readonly string[] {
  return Object.entries(properties).flatMap(([name, { type }]) => {
    if (type !== 'date') return []
    const orders = new Set(sample.map((document) => orderOf(document[name])))
    return orders.has('either') || (orders.has('day-first') && orders.has('month-first')) ? [name] : []
  })
}

const orderOf = (value: JsonObject[string] | undefined) => (typeof value === 'string' ? dateOrderOf(value) : undefined)

/** Checks all rows if the files are not large, else the first ones. Returns true if all were checked. */
async function checkRows(files: FileSet, sample: Sample, check: RowCheck): Promise<boolean> {
  const whole = !sample.isWhole && files.canReread && (await bytesOf(files)) <= CHECKED_BYTES
  if (!whole) {
    for (const { document, crs } of sample.documents) check.add(document, crs)
    return sample.isWhole
  }
  for (const source of files.sources) {
    const file = await files.open(source)
    try {
      for await (const rows of file.rows) {
        for (const row of rows) if (!isBroken(row)) check.add(row.document, file.crs)
        if (check.documents >= CHECKED_ROWS) return false
      }
    } finally {
      file.input.close()
    }
  }
  return true
}

async function bytesOf(files: FileSet): Promise<number> {
  const { stat } = await import('node:fs/promises')
  const sizes = await Promise.all(files.sources.map(async ({ file }) => (await stat(file)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

function refuseMisplaced({ misplaced, located, example, documents }: RowCheck, { crs }: PlanOptions): void {
  if (misplaced * 2 <= located) return
  const what = `${misplaced} of ${documents} documents have coordinates out of range; the first one ${example}`
  const advice =
    crs === undefined ? 'state the coordinate system with --crs, for example --crs EPSG:3857' : 'check --crs'
  throw new InputFault(`${what}: ${advice}.`)
}

/** Without all rows checked, only a field named like an identifier is one: another may repeat later. */
function idOf(unique: readonly string[], isWhole: boolean): string | undefined {
  if (isWhole) return unique[0]
  return unique.find((path) => Number.isFinite(rankId(path.slice(path.lastIndexOf('.') + 1))))
}

/** Gives date formats the order that the values or the caller tell. */
function orderDates(mapping: Mapping, ambiguous: readonly string[], check: RowCheck, { dateOrder }: PlanOptions) {
  const notes: string[] = []
  const properties: Record<string, MappingField> = { ...mapping.properties }
  const undecided: string[] = []
  for (const name of ambiguous) {
    const field = properties[name]
    const order = dateOrder ?? check.orderOf(name)
    if (field?.format === undefined) continue
    if (order === undefined) undecided.push(name)
    else properties[name] = { ...field, format: withDateOrder(field.format, order) }
  }
  if (undecided.length > 0) {
    throw new InputFault(
      `The dates in ${undecided.join(', ')} do not tell whether the day or the month is first: state it with --date-order day-first or --date-order month-first.`,
    )
  }
  return { mapping: { ...mapping, properties }, notes }
}

interface Found {
  readonly sample: Sample
  readonly shape: DocumentShape
  readonly mapping: Mapping
  readonly guessed: CollectionPaths
  readonly notes: readonly string[]
  readonly check: RowCheck
  readonly isWhole: boolean
  readonly shaped: readonly JsonObject[]
}

/** Combines what was found with what is stated; adds an identifier and a timestamp to a collection without. */
function complete(found: Found, options: PlanOptions, target: PlanTarget): LoadPlan {
  const { sample, guessed, notes, check, isWhole, shaped } = found
  const names = new Set(shaped.flatMap((document) => Object.keys(document)))
  const { isCollection, paths: stored = {} } = target
  const has = (path: string | undefined): path is string =>
    path !== undefined && shaped.some((document) => valueAt(document, path) !== undefined)
  const statedId = options.idPath ?? options.rowId
  const foundId = stored.id === undefined ? guessed.id : has(stored.id) ? stored.id : undefined
  const needsRows = statedId === undefined && foundId === undefined && isCollection
  const rowField = options.rowId ?? (needsRows ? (stored.id ?? freeName(ROW_FIELD, names)) : undefined)
  const id = statedId ?? foundId ?? rowField
  const statedTime = options.timestampPath
  if (statedTime !== undefined && !isDateField(found.mapping, statedTime)) refuseTimestamp(statedTime, found)
  const foundTime =
    stored.timestamp === undefined
      ? (guessed.timestamp ?? (isCollection ? firstDate(found.mapping) : undefined))
      : has(stored.timestamp)
        ? stored.timestamp
        : undefined
  const needsTime = statedTime === undefined && foundTime === undefined && isCollection
  const loadedField = needsTime ? (stored.timestamp ?? freeName(LOADED_FIELD, names)) : undefined
  const timestamp = statedTime ?? foundTime ?? loadedField
  const geometry = options.geometryPath ?? stored.geometry ?? guessed.geometry
  const centroid = options.centroidPath ?? stored.centroid ?? guessed.centroid
  if (isCollection) checkPlaced(found.mapping, shaped, options, stored)
  const shape: DocumentShape = {
    ...found.shape,
    ...(rowField === undefined ? {} : { rowField }),
    ...(loadedField === undefined ? {} : { loaded: { field: loadedField, at: new Date(target.now).toISOString() } }),
  }
  const mapping = withFields(found.mapping, {
    ...(rowField === undefined ? {} : { [rowField]: { type: 'long' } }),
    ...(loadedField === undefined ? {} : { [loadedField]: { type: 'date' } }),
  })
  const paths: CollectionPaths = {
    ...(id === undefined ? {} : { id }),
    ...(geometry === undefined ? {} : { geometry }),
    ...(centroid === undefined ? {} : { centroid }),
    ...(timestamp === undefined ? {} : { timestamp }),
  }
  const misplaced = check.misplaced
  return {
    files: sample.files.map(({ name, format, crs }) => ({
      name,
      format,
      ...(crs?.toDegrees === undefined ? {} : { crs: crs.name }),
    })),
    mapping,
    paths,
    idFrom: rowField !== undefined ? 'row' : statedId !== undefined ? 'stated' : id === undefined ? 'nothing' : 'found',
    timestampFrom:
      loadedField !== undefined
        ? 'loaded'
        : statedTime !== undefined
          ? 'stated'
          : timestamp === undefined
            ? 'nothing'
            : 'found',
    shape,
    columns: columnsOf(mapping, shaped),
    checked: { documents: check.documents, isWhole, misplaced },
    notes: [
      ...new Set(notes),
      ...(misplaced === 0 ? [] : [`${misplaced} documents have coordinates out of range: ${check.example}.`]),
    ],
  }
}

/** Of several dates of which none is named like the time of the document: the first named like any time. */
function firstDate(mapping: Mapping): string | undefined {
  const dates = datePaths(mapping)
  return dates.find((path) => namesTime(path)) ?? dates[0]
}

function freeName(wanted: string, names: ReadonlySet<string>): string {
  let name = wanted
  for (let n = 2; names.has(name); n++) name = `${wanted}_${n}`
  return name
}

const isDateField = (mapping: Mapping, path: string): boolean => datePaths(mapping).includes(path)

function refuseTimestamp(path: string, { mapping, shaped }: Found): never {
  const example = shaped
    .map((document) => valueAt(document, path))
    .find((value) => value !== undefined && value !== null)
  const candidates = datePaths(mapping)
  const others =
    candidates.length > 0
      ? `fields with dates: ${candidates.join(', ')}`
      : 'no field has dates; without --timestamp-path the moment of loading is used'
  throw new InputFault(`Field ${path} is no date: it has values such as ${JSON.stringify(example)}; ${others}.`)
}

const withFields = (mapping: Mapping, added: Readonly<Record<string, MappingField>>): Mapping => ({
  ...mapping,
  properties: { ...added, ...mapping.properties },
})

const LONGEST_EXAMPLE = 80

function columnsOf({ properties }: Mapping, sample: readonly JsonObject[]): readonly PlannedColumn[] {
  return Object.entries(properties).map(([path, { type = 'object', format }]) => {
    const value = sample.map((document) => document[path]).find((one) => one !== undefined && one !== null)
    const text = value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value)
    return {
      path,
      type,
      ...(format === undefined ? {} : { format }),
      ...(text === undefined ? {} : { example: text.slice(0, LONGEST_EXAMPLE) }),
    }
  })
}
