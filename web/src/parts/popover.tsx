import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'

interface PopoverProps {
  readonly label: string
  readonly button: ComponentChildren
  readonly buttonClass?: string
  readonly align?: 'start' | 'end'
  readonly children: (close: () => void) => ComponentChildren
}

/** A button with a popover, which is closed by Escape, by a click outside, or by its content. */
export function Popover({ label, button, buttonClass = 'button', align = 'start', children }: PopoverProps) {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  const id = useId()
  const close = (): void => {
    setOpen(false)
    trigger.current?.focus()
  }

  useEffect(() => {
    if (!open) return
    root.current?.querySelector<HTMLElement>('.popover :is(input, select, button, a, [tabindex="0"])')?.focus()
    const outside = (event: Event): void => {
      if (event.target instanceof Node && root.current?.contains(event.target) !== true) setOpen(false)
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [open])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles Escape for all focusable elements inside
    <div
      class="popover-root"
      ref={root}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return
        event.stopPropagation()
        close()
      }}
    >
      <button
        type="button"
        class={buttonClass}
        ref={trigger}
        aria-expanded={open}
        aria-controls={id}
        aria-label={label}
        title={label}
        onClick={() => setOpen(!open)}
      >
        {button}
      </button>
      {open && (
        <div class={`popover ${align}`} id={id}>
          {children(close)}
        </div>
      )}
    </div>
  )
}
