import { aggregationQuestions } from './aggregations.ts'
import { areaQuestions } from './areas.ts'
import { countQuestions } from './counts.ts'
import { documentQuestions } from './documents.ts'
import { fileQuestions } from './files.ts'
import type { Question } from './question.ts'
import { shapeQuestions } from './shapes.ts'
import { textQuestions } from './text.ts'

/** All questions by group, in the order of a report. The time filter of a draw is not part of them. */
export const allQuestions: readonly Question[] = [
  ...countQuestions,
  ...aggregationQuestions,
  ...documentQuestions,
  ...textQuestions,
  ...areaQuestions,
  ...shapeQuestions,
  ...fileQuestions,
]
