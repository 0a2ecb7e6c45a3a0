import type { Position } from '../../model/geometry.ts'
import type { TileGeometry } from './tile-geometry.ts'

const MOVE_TO = 1
const LINE_TO = 2
const CLOSE_PATH = 7

/** Encodes a geometry as the integers of a feature (Mapbox Vector Tile 2.1, section 4.3): commands and cursor moves. */
export function geometryCommands(geometry: TileGeometry): number[] {
  const commands: number[] = []
  const cursor: Cursor = { x: 0, y: 0 }
  switch (geometry.kind) {
    case 'points':
      add(commands, cursor, MOVE_TO, geometry.points)
      break
    case 'lines':
      for (const line of geometry.lines) {
        add(commands, cursor, MOVE_TO, line.slice(0, 1))
        add(commands, cursor, LINE_TO, line.slice(1))
      }
      break
    case 'polygons':
      for (const ring of geometry.polygons.flat()) {
        add(commands, cursor, MOVE_TO, ring.slice(0, 1))
        // ClosePath returns to the first position, so it is not repeated.
        add(commands, cursor, LINE_TO, ring.slice(1, -1))
        commands.push(command(CLOSE_PATH, 1))
      }
  }
  return commands
}

interface Cursor {
  x: number
  y: number
}

function add(commands: number[], cursor: Cursor, id: number, positions: readonly Position[]): void {
  commands.push(command(id, positions.length))
  for (const [x = 0, y = 0] of positions) {
    commands.push(zigzag(x - cursor.x), zigzag(y - cursor.y))
    cursor.x = x
    cursor.y = y
  }
}

const command = (id: number, count: number): number => count * 8 + id

/** Maps small numbers of either sign to small unsigned numbers. */
const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value)
