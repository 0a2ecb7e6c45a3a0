import { type Problem, problem } from '../../errors.ts'
import type { DateFormat } from '../date/date-format.ts'
import type { Field } from '../schema/field.ts'
import type { FieldPatterns } from '../schema/field-pattern.ts'
import type { Schema } from '../schema/schema.ts'
import { expressionFault, type FilterSyntaxContext, type ParsedExpression } from './filter-syntax.ts'

/** What is needed to resolve a Filter. */
export interface FilterContext extends FilterSyntaxContext {
  readonly schema: Schema
  readonly timestampPath: string
  /** exclude_fields of the collection: not searched by q without a field. */
  readonly hidden: FieldPatterns
  /** The instant of `now`, in ms; read once per request. */
  readonly now: number
  /** Owner of the fields, for messages: `collection geodata`. If absent, the indices are named. */
  readonly owner?: string
}

/** Context of one triplet: adds the dateformat of its Filter. */
export interface ExpressionContext extends FilterContext {
  readonly dateformat?: DateFormat
}

/** Throws if no operator can use the field (spec 2.1.4, 2.1.5, 3.4). */
export function checkUsable(expression: ParsedExpression, field: Field): void {
  if (field.nested) {
    throw expressionFault(expression, `must not use ${field.path}, which is below a NESTED field`)
  }
  if (!field.indexed) {
    const { op } = expression
    throw expressionFault(
      expression,
      `must not use the operator ${op} on ${field.path}, a field of type ${field.type} that is not indexed`,
    )
  }
  if (field.type === 'OBJECT' || field.type === 'NESTED' || field.type === 'UNKNOWN') throw typeFault(expression, field)
}

/** The operator does not support the type of the field (spec 3.5). */
export function typeFault(expression: ParsedExpression, field: Field): Problem {
  return expressionFault(
    expression,
    `must not use the operator ${expression.op} on ${field.path}, a field of type ${field.type}`,
  )
}

/** A value does not fit the type of the field (spec 3.5); `what` names the expected form. */
export function valueFault(expression: ParsedExpression, field: Field, what: string): Problem {
  return expressionFault(
    expression,
    `must compare ${field.path}, a field of type ${field.type}, with ${what} (operator ${expression.op})`,
  )
}

export function fieldNotFound(path: string, schema: Schema, owner?: string): Problem {
  return problem('FIELD_NOT_FOUND', { name: path, owner: owner ?? schema.indices.join(', ') })
}
