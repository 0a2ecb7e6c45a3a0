import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Aggregated, Hits } from '../api/answers.ts'
import type { RequestFault } from '../api/request.ts'
import { useQuery } from '../api/use-query.ts'
import type { Explored } from './explored.ts'
import {
  firstColumns,
  firstHistograms,
  firstRankings,
  groupingFields,
  measuringFields,
  titleField,
} from './field-choice.ts'
import { factsOf, isTimeless, samplePath } from './field-facts.ts'
import { type Overview, planOverview, readOverview } from './overview.ts'
import { state } from './store.ts'

const FIRST_RANKINGS = 2
const FIRST_HISTOGRAMS = 2

export interface FirstLook {
  /** Undefined while loading. */
  readonly overview:
    | (Overview & { readonly rankings: readonly string[]; readonly histograms: readonly string[] })
    | undefined
  /** Field that names documents; undefined if that is the identifier. */
  readonly title: string | undefined
  /** Undefined while loading. */
  readonly columns: readonly string[] | undefined
  /** True if the collection has no documents. */
  readonly isEmpty: boolean
  readonly fault: RequestFault | undefined
  readonly retry: () => void
}

/** Chooses widgets, columns and titles from the data, with two requests: a sample and the ranges of all documents. */
export function useFirstLook(explored: Explored): FirstLook {
  const { rankings = [], histograms = [] } = state.value
  const sampled = useQuery<Hits>(useMemo(() => samplePath(explored), [explored]))
  const { data: sample } = sampled
  const isEmpty = sample?.hits.length === 0
  const facts = useMemo(() => (sample === undefined ? undefined : factsOf(explored, sample)), [sample, explored])
  // planned once: includes the fields named by a link; fields chosen later are fetched if missing
  const [wanted, setWanted] = useState({ rankings, histograms })
  const plan = useMemo(() => {
    if (sample === undefined || facts === undefined || sample.hits.length === 0) return undefined
    const numbers = [...wanted.histograms, ...measuringFields(explored, facts)]
    const keywords = [...wanted.rankings, ...groupingFields(explored, facts)]
    return planOverview(explored, { numbers, keywords }, isTimeless(sample))
  }, [explored, facts, sample, wanted])
  const isMissing = plan !== undefined && histograms.some((path) => !plan.numbers.includes(path))
  useEffect(() => {
    if (isMissing) setWanted({ rankings, histograms })
  })
  const asked = useQuery<Aggregated>(plan?.path)
  const overview = useMemo(() => {
    if (plan === undefined || facts === undefined || asked.data === undefined) return undefined
    const read = readOverview(plan, explored.paths.time, asked.data)
    return {
      ...read,
      rankings: firstRankings(explored, facts, read, FIRST_RANKINGS),
      histograms: firstHistograms(explored, facts, read, FIRST_HISTOGRAMS),
    }
  }, [asked.data, plan, explored, facts])
  const title = useMemo(() => (facts === undefined ? undefined : titleField(explored, facts)), [explored, facts])
  const columns = useMemo(() => (facts === undefined ? undefined : firstColumns(explored, facts)), [explored, facts])
  const isFaulty = sampled.fault !== undefined
  return {
    overview,
    title,
    columns,
    isEmpty,
    fault: sampled.fault ?? asked.fault,
    retry: isFaulty ? sampled.retry : asked.retry,
  }
}
