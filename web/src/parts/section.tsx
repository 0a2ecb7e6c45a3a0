import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

interface SectionProps {
  readonly title: string
  readonly tools?: ComponentChildren
  readonly onRemove?: () => void
  /** Called only while the section is open, so that hidden widgets send no requests. */
  readonly children: () => ComponentChildren
}

/** A collapsible widget of the left column. */
export function Section({ title, tools, onRemove, children }: SectionProps) {
  const [open, setOpen] = useState(true)
  return (
    <section class="section">
      <header>
        <h2>
          <button type="button" class="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
            <Icon name="chevron" size={14} />
            {title}
          </button>
        </h2>
        <div class="tools">
          {open && tools}
          {onRemove !== undefined && (
            <button
              type="button"
              class="icon-button"
              title={`Remove ${title}`}
              aria-label={`Remove ${title}`}
              onClick={onRemove}
            >
              <Icon name="close" size={14} />
            </button>
          )}
        </div>
      </header>
      {open && children()}
    </section>
  )
}
