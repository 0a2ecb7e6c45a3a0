import type { Access } from '../query/access/access.ts'
import { parseColumnFilter } from '../query/access/column-filter.ts'
import { lazyPartitionFilter } from '../query/access/partition-filter.ts'

/** Values of the headers that narrow a view. Permissions can set the same values. An empty string hides everything. */
export interface AccessTexts {
  readonly partition?: string | undefined
  readonly columns?: string | undefined
  /** Comma-separated. */
  readonly organisations?: string | undefined
}

export interface AccessOptions {
  /** `access.checkOrganisations` */
  readonly checkOrganisations: boolean
  /** True if the values come from the caller's permissions. An invalid value is then not the fault of the request. */
  readonly granted?: boolean
}

export function readAccess(texts: AccessTexts, { checkOrganisations, granted = false }: AccessOptions): Access {
  const { partition, columns } = texts
  const organisations = checkOrganisations ? texts.organisations : undefined
  const columnFilter = columns === undefined ? undefined : parseColumnFilter(columns)
  return {
    ...(partition === undefined ? {} : { partition: lazyPartitionFilter(partition, granted) }),
    ...(columnFilter === undefined ? {} : { columns: columnFilter }),
    ...(organisations === undefined ? {} : { organisations: listOf(organisations) }),
  }
}

/** Splits a comma-separated list, without empty items. */
export const listOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
