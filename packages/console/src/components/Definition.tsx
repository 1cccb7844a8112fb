import { useId, useLayoutEffect, useRef, useState } from "preact/hooks"

interface DefinitionProps {
  readonly term: string
  readonly text: string
}

/** The distance of a definition to its term and to the edges of the page, in pixels. */
const margin = 8

/**
 * A term with its definition, which is shown over the page while the pointer is on it, while the term has the focus, and
 * after a tap. Escape closes it (WCAG 2.2, 1.4.13).
 */
export const Definition = ({ term, text }: DefinitionProps) => {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const definition = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    if (!isOpen || button.current === null || definition.current === null) return
    const { bottom, left } = button.current.getBoundingClientRect()
    const { style, offsetWidth } = definition.current
    style.top = `${bottom + margin / 2}px`
    style.left = `${Math.max(margin, Math.min(left, document.documentElement.clientWidth - offsetWidth - margin))}px`
    // The definition has a fixed place on the page.
    const close = () => setOpen(false)
    addEventListener("scroll", close, true)
    return () => removeEventListener("scroll", close, true)
  }, [isOpen])
  return (
    <span class="definition" onPointerEnter={() => setOpen(true)} onPointerLeave={() => setOpen(false)}>
      <button
        ref={button}
        type="button"
        aria-describedby={id}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={(event) => event.key === "Escape" && setOpen(false)}
        // A tap does not move the focus in all browsers.
        onClick={(event) => {
          event.currentTarget.focus()
          setOpen(true)
        }}
      >
        {term}
      </button>
      <span ref={definition} id={id} role="tooltip" hidden={!isOpen}>
        {text}
      </span>
    </span>
  )
}
