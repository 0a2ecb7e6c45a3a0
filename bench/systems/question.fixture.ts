import type { Draw, Question } from '../questions/question.ts'

export const drawFixture: Draw = {
  kind: 'kind-1',
  owner: 'owner-1',
  id: 'doc-000000001',
  range: { from: 0, to: 1 },
  tile: { z: 0, x: 0, y: 0 },
  ring: [],
  cluster: { lon: 0, lat: 0, spread: 1 },
  words: { frequent: 'wind', rare: 'quay', other: 'tide' },
}

export const questionFixture: Question = {
  name: 'count',
  group: 'counts',
  expects: 'count',
  periplus: () => ({ method: 'GET', path: '/explore/bench/_count' }),
}
