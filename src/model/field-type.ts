/** Field types of the specification (2.1.4). */
export const fieldTypes = [
  'KEYWORD',
  'TEXT',
  'LONG',
  'INTEGER',
  'SHORT',
  'BYTE',
  'DOUBLE',
  'FLOAT',
  'DATE',
  'BOOLEAN',
  'IP',
  'GEO_POINT',
  'GEO_SHAPE',
  'OBJECT',
  'NESTED',
  'UNKNOWN',
] as const

export type FieldType = (typeof fieldTypes)[number]
