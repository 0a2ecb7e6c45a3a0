import type { Position } from '../../model/geometry.ts'
import type { ExpressionBudget } from '../plan/expression-budget.ts'
import type { Field } from '../schema/field.ts'
import type { Schema } from '../schema/schema.ts'
import { Cql2Fault } from './cql2-fault.ts'
import type { Property } from './expression.ts'

/** What is needed to resolve an expression. */
export interface Cql2Context {
  readonly schema: Schema
  readonly budget: ExpressionBudget
  readonly limits: { readonly patternLength: number }
  /** Name of the parameter, for messages about limits. */
  readonly parameter: string
  /** Owner of the fields, for messages: `collection geodata`. */
  readonly owner: string
  /** Converts positions of literals to longitude and latitude; absent: they are. */
  readonly toLonLat?: (position: Position) => Position
}

/** Looks up a property. An unknown one is an error, unlike in `f`: the standard requires it. */
export function fieldOf({ name, at }: Property, { schema, owner }: Cql2Context): Field {
  const field = schema.lookup(name)
  if (field === undefined) throw new Cql2Fault(`names ${name}, which is not a property of ${owner}`, at)
  if (field.nested || !field.indexed) {
    throw new Cql2Fault(`names ${name}, which cannot be used in filters`, at)
  }
  if (field.type === 'OBJECT' || field.type === 'NESTED' || field.type === 'UNKNOWN') {
    throw new Cql2Fault(`names ${name}, a property of type ${field.type}, which cannot be used in filters`, at)
  }
  return field
}

export const misfit = (field: Field, what: string, at: Property['at']): Cql2Fault =>
  new Cql2Fault(`must compare ${field.path}, a property of type ${field.type}, with ${what}`, at)
