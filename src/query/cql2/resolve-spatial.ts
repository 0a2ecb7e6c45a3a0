import { boxArea } from '../../geo/area/box-area.ts'
import { areaOf } from '../../geo/area/filter-area.ts'
import type { Area } from '../../geo/area.ts'
import { GeometryFault } from '../../geo/geometry-fault.ts'
import { mapPositions } from '../../geo/map-positions.ts'
import { hasOneDimension, type ShapeRelation } from '../../geo/shape/shape-relation.ts'
import type { Predicate } from '../plan/predicate.ts'
import { isGeo } from '../schema/field.ts'
import { type Cql2Context, fieldOf, misfit } from './cql2-context.ts'
import { Cql2Fault } from './cql2-fault.ts'
import type { Cql2 } from './expression.ts'
import type { SpatialRelation } from './spatial-relations.ts'
import { claim, negated, type Truth } from './truth.ts'

const MIRRORED: Readonly<Partial<Record<SpatialRelation, SpatialRelation>>> = {
  s_within: 's_contains',
  s_contains: 's_within',
}

type Exact = Exclude<SpatialRelation, 's_intersects' | 's_disjoint' | 's_within'>

const RELATIONS: Readonly<Record<Exact, ShapeRelation>> = {
  s_contains: 'contains',
  s_equals: 'equals',
  s_touches: 'touches',
  s_crosses: 'crosses',
  s_overlaps: 'overlaps',
}

/** The spatial functions, planar in longitude and latitude; borders belong to areas as in exploration. */
export function resolveSpatial(
  { relation, args, at }: Extract<Cql2, { kind: 'spatial' }>,
  context: Cql2Context,
): Truth {
  const [a, b] = args
  if (a?.kind === 'property' && b !== undefined) return relate(relation, a, b, context)
  if (b?.kind === 'property' && a !== undefined) return relate(MIRRORED[relation] ?? relation, b, a, context)
  throw new Cql2Fault('must compare a property with a geometry', at)
}

function relate(
  relation: SpatialRelation,
  property: Extract<Cql2, { kind: 'property' }>,
  literal: Cql2,
  context: Cql2Context,
): Truth {
  const field = fieldOf(property, context)
  if (!isGeo(field.type)) throw misfit(field, 'values of its type, not with geometries', property.at)
  const area = areaOfLiteral(literal, context)
  const is = (kind: 'within' | 'intersects'): Predicate => ({ kind: 'geo', field, relation: kind, area })
  switch (relation) {
    case 's_intersects':
      return claim(field, is('intersects'))
    case 's_disjoint':
      return negated(claim(field, is('intersects')))
    case 's_within':
      return claim(field, is('within'))
    default:
      if (!hasOneDimension(area)) {
        const parts = 'which is not defined for a geometry with parts of several dimensions'
        throw new Cql2Fault(`uses ${relation.toUpperCase()}, ${parts}`, property.at)
      }
      return claim(field, { kind: 'relates', field, relation: RELATIONS[relation], area })
  }
}

function areaOfLiteral(node: Cql2, { toLonLat, budget, parameter }: Cql2Context): Area {
  try {
    if (node.kind === 'bbox') return boxArea(node.bounds, toLonLat)
    if (node.kind !== 'geometry') throw new Cql2Fault('must have a geometry here', node.at)
    let positions = 0
    const geometry = mapPositions(node.geometry, (position) => {
      positions++
      const [x = 0, y = 0] = toLonLat?.(position) ?? position
      return [x, y]
    })
    budget.spendPositions(positions, parameter)
    return areaOf(geometry, { union: budget.union })
  } catch (error) {
    if (!(error instanceof GeometryFault)) throw error
    throw new Cql2Fault(`has a geometry that ${error.reason}`, node.at)
  }
}
