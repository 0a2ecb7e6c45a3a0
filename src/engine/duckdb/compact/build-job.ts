import type { TableLayout } from '../index/table-layout.ts'
import { type PartData, partOfData } from '../parts/part-data.ts'
import { writeSegmentFile } from '../segment/file/segment-file-writer.ts'
import { buildSegment } from '../segment/segment-builder.ts'
import type { SegmentData } from '../segment/segment-data.ts'

/** Parts to build a segment from, and where to store it. */
interface BuildJob {
  readonly parts: readonly PartData[]
  readonly layout: TableLayout
  readonly firstSeq: number
  readonly endSeq: number
  readonly directory: string
  readonly file: string
}

/** Builds a segment and stores it. */
export async function buildAndStore(job: BuildJob): Promise<SegmentData> {
  const { parts, layout, firstSeq, endSeq, directory, file } = job
  const data = buildSegment(parts.map(partOfData), layout, { firstSeq, endSeq })
  await writeSegmentFile(directory, file, data)
  return data
}
