import { useLayoutEffect, useRef } from "preact/hooks"
import { Pending } from "./Pending.js"
import { useLoad } from "./UseLoad.js"

interface CodeEditorProps {
  readonly label: string
  /** Its first value. */
  readonly value: string
  readonly change: (value: string) => void
  /** Is set to a function that inserts a text at the cursor. */
  readonly insert: { current: ((text: string) => void) | undefined }
}

/** An editor for the HTML of a template. Its code is loaded when it is first shown. */
export const CodeEditor = ({ change, insert, label, value }: CodeEditorProps) => {
  const { error, reload, value: library } = useLoad(() => import("./CodeMirror.js"), [])
  const host = useRef<HTMLDivElement>(null)
  const latest = useRef(change)
  latest.current = change
  useLayoutEffect(() => {
    if (library === undefined || host.current === null) return
    const created = library.createEditor(host.current, { label, value, change: (text) => latest.current(text) })
    insert.current = created.insert
    return () => {
      insert.current = undefined
      created.destroy()
    }
  }, [library])
  return (
    <div class="field">
      <span>{label}</span>
      {library === undefined ? (
        <Pending error={error} reload={reload} />
      ) : (
        <>
          <div ref={host} class="code-editor" />
          <small>Tab indents. To leave the editor by keyboard, press Escape, then Tab.</small>
        </>
      )}
    </div>
  )
}
