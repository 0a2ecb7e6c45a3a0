import type { LoadChoices, LoadColumn } from './load-request.ts'
import type { Preview } from './preview.ts'

const GEOMETRIES = new Set(['geo_point', 'geo_shape'])
const OBJECTS = new Set(['object', 'nested'])

interface FormProps {
  readonly choices: LoadChoices
  readonly preview: Preview
  readonly onChange: (change: Partial<LoadChoices>) => void
  readonly onLoad: () => void
}

/** What was found in a file, and what the user can state instead. */
export function LoadForm({ choices, preview, onChange, onLoad }: FormProps) {
  const { report, columns = [], problem, isTaken, loading } = preview
  const plain = columns.filter(({ type }) => !GEOMETRIES.has(type) && !OBJECTS.has(type))
  const geometries = columns.filter(({ type }) => GEOMETRIES.has(type))
  return (
    <form
      class="form load-form"
      data-loading={loading}
      onSubmit={(event) => {
        event.preventDefault()
        onLoad()
      }}
    >
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}.
        </p>
      )}
      {isTaken === true && (
        <div class="row">
          <button type="button" class="button small" onClick={() => onChange({ existing: 'append' })}>
            Add to it
          </button>
          <button type="button" class="button small" onClick={() => onChange({ existing: 'replace' })}>
            Replace it
          </button>
        </div>
      )}
      {report !== undefined && (
        <ul class="load-notes">
          {report.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {columns.length > 0 && <Columns columns={columns} />}
      <div class="load-choices">
        <Text label="Name" value={choices.name} hint={report?.index} onChange={(name) => onChange({ name })} />
        <Choice label="Identifier" value={choices.idPath} options={plain} onChange={(idPath) => onChange({ idPath })} />
        <Choice
          label="Time"
          value={choices.timestampPath}
          options={plain}
          onChange={(timestampPath) => onChange({ timestampPath })}
        />
        {geometries.length > 1 && (
          <Choice
            label="Geometry"
            value={choices.geometryPath}
            options={geometries}
            onChange={(geometryPath) => onChange({ geometryPath })}
          />
        )}
        <Choice label="Longitude" value={choices.lon} options={plain} onChange={(lon) => onChange({ lon })} />
        <Choice label="Latitude" value={choices.lat} options={plain} onChange={(lat) => onChange({ lat })} />
        <Text label="Coordinate system" value={choices.crs} hint="EPSG:4326" onChange={(crs) => onChange({ crs })} />
        <label>
          Dates such as 05/06/1992
          <select value={choices.dateOrder} onChange={(event) => onChange({ dateOrder: event.currentTarget.value })}>
            <option value="">As found</option>
            <option value="day-first">Day first</option>
            <option value="month-first">Month first</option>
          </select>
        </label>
      </div>
      <div class="row end">
        <button type="submit" class="button primary" disabled={loading || report === undefined}>
          Load
        </button>
      </div>
    </form>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly LoadColumn[]
  readonly onChange: (value: string) => void
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">As found</option>
        {options.map(({ path }) => (
          <option key={path} value={path}>
            {path}
          </option>
        ))}
      </select>
    </label>
  )
}

interface TextProps {
  readonly label: string
  readonly value: string
  readonly hint: string | undefined
  readonly onChange: (value: string) => void
}

function Text({ label, value, hint = '', onChange }: TextProps) {
  return (
    <label>
      {label}
      <input
        type="text"
        value={value}
        placeholder={hint}
        spellcheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  )
}

function Columns({ columns }: { readonly columns: readonly LoadColumn[] }) {
  return (
    <div class="table-scroll load-columns">
      <table>
        <thead>
          <tr>
            <th>Column</th>
            <th>Type</th>
            <th>First value</th>
          </tr>
        </thead>
        <tbody>
          {columns.map(({ path, type, example = '' }) => (
            <tr key={path}>
              <td>{path}</td>
              <td>{type}</td>
              <td>{example}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
