import type { JsonObject } from '../../../model/json/document.ts'

/** Newest first by `seen`, those without a date last, then by id. */
export function compareNewest(a: JsonObject, b: JsonObject): number {
  const moment = (document: JsonObject): number => Number(document.seen ?? Number.NEGATIVE_INFINITY)
  if (moment(a) !== moment(b)) return moment(b) - moment(a)
  return String(a.id) < String(b.id) ? -1 : 1
}
