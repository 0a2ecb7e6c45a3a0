import { problem } from '../../errors.ts'
import type { Json, JsonObject } from '../../model/json/document.ts'
import { setOwn } from '../../model/json/json-object.ts'
import type { Projection } from '../../model/search.ts'
import { fieldNotFound } from '../filter/filter-context.ts'
import { type CollectionView, mandatoryPaths, ownerOf } from '../schema/collection-view.ts'
import { type Field, isGeo } from '../schema/field.ts'
import { compilePatterns, type FieldPatterns, fieldPatterns } from '../schema/field-pattern.ts'
import { type ProjectionNode, type ProjectionRules, projectionRoot } from './projection-node.ts'
import { nameIn, type RequestOrigin } from './request-origin.ts'

interface ProjectionContext {
  readonly collection: CollectionView
  readonly origin: RequestOrigin
}

/** A syntactically valid projection; fields are not looked up yet. */
export interface ParsedProjection {
  readonly include?: FieldPatterns
  readonly exclude: FieldPatterns
  /** Absent if not requested. */
  readonly returnedGeometries?: readonly string[]
}

/** What to keep of a document; created once per request and applied to each document. */
export interface ProjectionPlan {
  /** True with `include`: objects that become empty are removed (spec 5.3.3). */
  readonly dropsEmpty: boolean
  /** The fields of returned_geometries in request order; absent if not requested. */
  readonly returnedGeometries?: readonly Field[]
  readonly root: ProjectionNode
}

/** Checks every rule of spec 5.3. */
export function resolveProjection(
  projection: Projection | undefined,
  returnedGeometries: string | undefined,
  context: ProjectionContext,
): ProjectionPlan {
  return resolveParsedProjection(parseProjection(projection, returnedGeometries, context), context)
}

export function parseProjection(
  projection: Projection | undefined,
  returnedGeometries: string | undefined,
  { collection, origin }: ProjectionContext,
): ParsedProjection {
  const include = compilePatterns(projection?.includes)
  const exclude = compilePatterns(projection?.excludes)
  const mandatory = mandatoryPaths(collection).find((path) => exclude.selects(path))
  if (mandatory !== undefined) {
    const reason = `must not select ${mandatory}, one of the four paths of the collection`
    throw problem('INVALID_PARAMETER', { parameter: nameIn(origin, 'exclude'), value: projection?.excludes, reason })
  }
  const paths = compilePatterns(returnedGeometries).patterns
  const excluded = paths.find((path) => exclude.selects(path))
  if (excluded !== undefined) {
    const reason = `must not contain ${excluded}, which exclude removes`
    const parameter = nameIn(origin, 'returned_geometries')
    throw problem('INVALID_PARAMETER', { parameter, value: returnedGeometries, reason })
  }
  return {
    ...(include.patterns.length === 0 ? {} : { include }),
    exclude,
    ...(paths.length === 0 ? {} : { returnedGeometries: [...new Set(paths)] }),
  }
}

export function resolveParsedProjection(parsed: ParsedProjection, context: ProjectionContext): ProjectionPlan {
  const { collection } = context
  const geometries = parsed.returnedGeometries?.map((path) => resolveGeometry(path, context))
  const kept = fieldPatterns([...mandatoryPaths(collection), ...(geometries ?? []).map((f) => f.path)])
  const rules: ProjectionRules = {
    ...(parsed.include === undefined ? {} : { include: parsed.include }),
    kept,
    cut: [parsed.exclude, collection.hidden].filter((p) => p.patterns.length > 0),
    isLeaf: (path) => isLeaf(collection.schema.lookup(path)),
  }
  return {
    dropsEmpty: parsed.include !== undefined,
    ...(geometries === undefined ? {} : { returnedGeometries: geometries }),
    root: projectionRoot(rules),
  }
}

function resolveGeometry(path: string, { collection, origin }: ProjectionContext): Field {
  const field = collection.schema.lookup(path)
  if (field === undefined || collection.hidden.selects(path)) {
    throw fieldNotFound(path, collection.schema, ownerOf(collection))
  }
  if (isGeo(field.type)) return field
  const parameter = nameIn(origin, 'returned_geometries')
  const reason = `must contain GEO_POINT or GEO_SHAPE fields, not fields of type ${field.type}`
  throw problem('INVALID_PARAMETER', { parameter, value: path, reason })
}

const isLeaf = (field: Field | undefined): boolean =>
  field !== undefined && field.type !== 'OBJECT' && field.type !== 'NESTED'

interface ProjectDocumentOptions {
  /** Keep nulls, as inside the properties of a feature (spec 1.4.2). */
  readonly keepNulls?: boolean
}

/** Returns the part of a document the plan keeps; does not modify the source. */
export function projectDocument(
  source: JsonObject,
  plan: ProjectionPlan,
  { keepNulls = false }: ProjectDocumentOptions = {},
): JsonObject {
  if (plan.root.fate === 'whole') return keepNulls ? source : membersWithoutNulls(source)
  return projectMembers(source, plan.root, { dropsEmpty: plan.dropsEmpty, keepNulls })
}

interface Manner {
  readonly dropsEmpty: boolean
  readonly keepNulls: boolean
}

function projectMembers(object: JsonObject, node: ProjectionNode, manner: Manner): JsonObject {
  const kept: Record<string, Json> = {}
  for (const key in object) {
    const member = object[key]
    if (member === undefined || (member === null && !manner.keepNulls)) continue
    const child = node.child(key)
    if (child.fate === 'cut') continue
    const projected = child.fate === 'whole' ? withoutNulls(member, manner.keepNulls) : project(member, child, manner)
    if (projected !== undefined) setOwn(kept, key, projected)
  }
  return kept
}

/** Undefined if nothing is left. */
function project(value: Json, node: ProjectionNode, manner: Manner): Json | undefined {
  if (typeof value !== 'object' || value === null) return node.included ? value : undefined
  if (isArray(value)) return projectElements(value, node, manner)
  const kept = projectMembers(value, node, manner)
  return manner.dropsEmpty && isEmpty(kept) ? undefined : kept
}

function projectElements(elements: readonly Json[], node: ProjectionNode, manner: Manner): Json | undefined {
  if (elements.length === 0) return node.included ? elements : undefined
  const kept: Json[] = []
  for (const element of elements) {
    const projected = project(element, node, manner)
    if (projected !== undefined) kept.push(projected)
  }
  return kept.length === 0 ? undefined : kept
}

/** Returns the same object if it contains no nulls, which is the usual case. */
function withoutNulls(value: Json, keepNulls: boolean): Json {
  if (keepNulls || typeof value !== 'object' || value === null) return value
  return isArray(value) ? elementsWithoutNulls(value) : membersWithoutNulls(value)
}

/** Nulls that are array elements are kept, so the indexes of the others do not change. */
function elementsWithoutNulls(elements: readonly Json[]): readonly Json[] {
  let cleaned: Json[] | undefined
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i]
    if (typeof element !== 'object' || element === null) continue
    const rest = withoutNulls(element, false)
    if (rest === element) continue
    cleaned ??= [...elements]
    cleaned[i] = rest
  }
  return cleaned ?? elements
}

function membersWithoutNulls(object: JsonObject): JsonObject {
  let changed = false
  for (const key in object) {
    const member = object[key]
    changed = member === null || (typeof member === 'object' && withoutNulls(member, false) !== member)
    if (changed) break
  }
  if (!changed) return object
  const kept: Record<string, Json> = {}
  for (const key in object) {
    const member = object[key]
    if (member !== undefined && member !== null) setOwn(kept, key, withoutNulls(member, false))
  }
  return kept
}

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value)

function isEmpty(object: JsonObject): boolean {
  for (const _ in object) return false
  return true
}
