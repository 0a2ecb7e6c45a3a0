import { Icon, type IconName } from '../parts/icon.tsx'
import { type MapMode, mapModes } from '../state/explorer-state.ts'
import { change, state } from '../state/store.ts'
import type { DrawingTool } from './drawing.ts'

interface MapToolsProps {
  readonly tool: DrawingTool | undefined
  readonly onTool: (tool: DrawingTool | undefined) => void
  readonly onFit: () => void
}

const MODES: Readonly<Record<MapMode, string>> = { auto: 'Auto', cells: 'Cells', documents: 'Documents' }

/** Toolbar of the map. */
export function MapTools({ tool, onTool, onFit }: MapToolsProps) {
  const drawing = (name: DrawingTool, icon: IconName, label: string) => (
    <button
      type="button"
      class="tool"
      aria-pressed={tool === name}
      title={label}
      aria-label={label}
      onClick={() => onTool(tool === name ? undefined : name)}
    >
      <Icon name={icon} />
    </button>
  )
  return (
    <div class="map-tools">
      <div class="tool-group">
        <button type="button" class="tool" title="Zoom to the data" aria-label="Zoom to the data" onClick={onFit}>
          <Icon name="fit" />
        </button>
        {drawing('box', 'box', 'Filter by a box')}
        {drawing('polygon', 'polygon', 'Filter by a polygon')}
      </div>
      <fieldset class="segments" aria-label="What the map shows">
        {mapModes.map((mode) => (
          <label key={mode}>
            <input type="radio" name="map-mode" checked={state.value.mode === mode} onChange={() => change({ mode })} />
            <span>{MODES[mode]}</span>
          </label>
        ))}
      </fieldset>
    </div>
  )
}
