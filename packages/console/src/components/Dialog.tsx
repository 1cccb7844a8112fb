import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { IconButton } from "./Icon.js"

interface DialogProps {
  readonly title: string
  /** A class with the layout of the dialog. */
  readonly class?: string
  /** Called when the dialog is closed by its button or by Escape. */
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A modal dialog. The browser keeps the focus in it, and returns the focus when it is closed. */
export const Dialog = ({ children, class: layout = "", onClose, title }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  return (
    <dialog ref={dialog} class={`dialog card ${layout}`} aria-labelledby={id} onClose={onClose}>
      <div class="dialog-header">
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" label="Close" title="" press={() => dialog.current?.close()} />
      </div>
      {children}
    </dialog>
  )
}
