import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'

/** The file to be loaded: dropped on the page, or chosen. */
export const droppedFile = signal<File | undefined>(undefined)

/** Accepts files that are dragged over the page. */
export function DropTarget() {
  const [isOver, setIsOver] = useState(false)
  const [several, setSeveral] = useState(false)
  useEffect(() => {
    const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setIsOver(true)
    }
    const leave = (event: DragEvent): void => {
      // no related target: the pointer left the window
      if (event.relatedTarget === null) setIsOver(false)
    }
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setIsOver(false)
      const [file, ...others] = event.dataTransfer?.files ?? []
      setSeveral(others.length > 0)
      if (file !== undefined && others.length === 0 && droppedFile.value === undefined) droppedFile.value = file
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [])
  if (several) {
    return (
      <div class="drop-note fault" role="alert">
        <p>Drop one file at a time. Put the parts of a shapefile into a zip archive.</p>
        <button type="button" class="button small" onClick={() => setSeveral(false)}>
          Close
        </button>
      </div>
    )
  }
  return isOver ? <div class="drop-target">Drop the file to load it</div> : null
}

/** Opens the file dialog of the browser. */
export function LoadButton({ onChoose }: { readonly onChoose?: () => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" class="button" onClick={() => input.current?.click()}>
        Load a file…
      </button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="File to load"
        onChange={({ currentTarget }) => {
          droppedFile.value = currentTarget.files?.[0]
          currentTarget.value = ''
          onChoose?.()
        }}
      />
    </>
  )
}
