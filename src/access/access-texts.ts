import type { Access } from '../query/access/access.ts'
import { parseColumnFilter } from '../query/access/column-filter.ts'
import { lazyPartitionFilter } from '../query/access/partition-filter.ts'

/** What narrows a view, as headers and permissions write it. A text that is there but empty closes. */
export interface AccessTexts {
  readonly partition?: string | undefined
  readonly columns?: string | undefined
  /** Comma-separated. */
  readonly organisations?: string | undefined
}

export interface AccessOptions {
  /** `access.checkOrganisations` */
  readonly checkOrganisations: boolean
  /** The texts were made from the caller's permissions: that they cannot be read is no fault of the request. */
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

/** The items of a comma-separated list. */
export const listOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
