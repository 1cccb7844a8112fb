import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { client } from "../app/Client.js"
import { useUnsaved } from "../app/Location.js"
import { linkTo, type PathParams, paths } from "../app/Paths.js"
import type { Template } from "../app/Types.js"
import { submitTo, useAction } from "../components/Actions.js"
import { TextField } from "../components/Fields.js"
import { ErrorNotice, Pending } from "../components/Notices.js"
import { PendingView, useResource } from "../components/Resource.js"
import { useLoad, ViewHeader } from "../components/View.js"
import { TemplatePreview } from "./TemplatePreview.js"
import { placeholdersOf, valueNames } from "./TemplateTags.js"

interface CodeEditorProps {
  readonly label: string
  /** Its first value. */
  readonly value: string
  readonly change: (value: string) => void
  /** Is set to a function that inserts a text at the cursor. */
  readonly insert: { current: ((text: string) => void) | undefined }
}

/** An editor for the HTML of a template. Its code is loaded when it is first shown. */
const CodeEditor = ({ change, insert, label, value }: CodeEditorProps) => {
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

/** What the form has. */
interface Fields {
  readonly name: string
  readonly subject: string
  readonly html: string
  readonly text: string
  /** The fallbacks by variable. Those of names that the template no longer uses stay until it is saved. */
  readonly fallbacks: Readonly<Record<string, string | undefined>>
}

const fieldsOf = ({ html = "", name, subject = "", text = "", variables }: Template): Fields => ({
  ...{ name, subject, html, text },
  fallbacks: Object.fromEntries(variables.map(({ fallback, name }) => [name, fallback]))
})

/** The changes that the form makes to the template. Only an e-mail has a subject and HTML. */
const changesOf = (
  channel: Template["channel"],
  { fallbacks, html, subject, text }: Fields,
  names: ReadonlyArray<string>
) => ({
  ...(channel === "email" ? { subject, html } : {}),
  text: text === "" ? null : text,
  variables: names.flatMap((name) => {
    const fallback = fallbacks[name]
    return fallback === undefined ? [] : [{ name, fallback }]
  })
})

/** Inserts a text in place of the selection of a field. */
const insertInto = (field: HTMLInputElement | HTMLTextAreaElement, text: string) => {
  field.focus()
  field.setRangeText(text, field.selectionStart ?? 0, field.selectionEnd ?? 0, "end")
  field.dispatchEvent(new Event("input", { bubbles: true }))
}

const Editor = ({ saved, template }: { readonly template: Template; readonly saved: (template: Template) => void }) => {
  const { channel, id, name } = template
  const isMail = channel === "email"
  const [fields, setFields] = useState(() => fieldsOf(template))
  const change = (changes: Partial<Fields>) => setFields((current) => ({ ...current, ...changes }))
  const parts = [fields.subject, fields.html, fields.text]
  const names = valueNames(parts)
  const changes = changesOf(channel, fields, names)
  const snapshot = JSON.stringify(fields)
  const [stored, setStored] = useState(snapshot)
  const isChanged = snapshot !== stored
  useUnsaved(isChanged)
  const save = async () => {
    saved(await client.templates.update({ path: { id }, payload: { name: fields.name, ...changes } }))
    setStored(snapshot)
  }
  const { busy, error, run } = useAction(save, { done: "The template is saved as a new version" })
  // Placeholders go into the field that had the focus last.
  const focused = useRef<EventTarget | null>(null)
  const insertHtml = useRef<(text: string) => void>(undefined)
  const insert = (text: string) => {
    const field = focused.current
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) insertInto(field, text)
    else insertHtml.current?.(text)
  }
  return (
    <>
      <ViewHeader title={`Edit ${name}`} back={{ href: linkTo(paths.template, { id }), label: name }}>
        {isChanged && <span class="tag">not saved</span>}
        <button type="submit" form="template" class="button primary" disabled={busy || !isChanged}>
          Save
        </button>
      </ViewHeader>
      <div class="template-editor">
        <form
          id="template"
          class="card padded form"
          aria-label="Template"
          onFocusIn={({ target }) => {
            if (!(target instanceof HTMLButtonElement)) focused.current = target
          }}
          onSubmit={submitTo(run)}
        >
          {error !== undefined && <ErrorNotice error={error} />}
          <TextField label="Name" name="name" required value={fields.name} change={(name) => change({ name })} />
          {isMail && (
            <TextField
              label="Subject"
              name="subject"
              required
              value={fields.subject}
              change={(subject) => change({ subject })}
            />
          )}
          <fieldset>
            <legend>Insert a placeholder</legend>
            <div class="placeholders">
              {placeholdersOf(parts).map((placeholder) => (
                <button key={placeholder} type="button" class="tag" onClick={() => insert(placeholder)}>
                  {placeholder}
                </button>
              ))}
            </div>
            <small>
              {
                "Others: {{order.id}}. {{#items}}…{{/items}} is repeated for each item, {{^items}}…{{/items}} is for none."
              }
            </small>
          </fieldset>
          {isMail && (
            <CodeEditor label="HTML" value={fields.html} change={(html) => change({ html })} insert={insertHtml} />
          )}
          <TextField
            label="Text"
            name="text"
            lines={4}
            isCode
            value={fields.text}
            change={(text) => change({ text })}
            required={!isMail}
            hint={isMail ? "Default: from the HTML." : undefined}
          />
          {names.length > 0 && (
            <fieldset>
              <legend>Fallbacks</legend>
              <small>
                A fallback is used if the data of a send has no value. Names outside sections without one are required.
              </small>
              {names.map((name) => (
                <label key={name} class="fallback">
                  <code>{name}</code>
                  <input
                    aria-label={`Fallback of ${name}`}
                    autocomplete="off"
                    value={fields.fallbacks[name] ?? ""}
                    onInput={({ currentTarget: { value } }) =>
                      change({ fallbacks: { ...fields.fallbacks, [name]: value || undefined } })
                    }
                  />
                </label>
              ))}
            </fieldset>
          )}
        </form>
        <TemplatePreview template={template} changes={changes} />
      </div>
    </>
  )
}

/** The form of a template, with a preview of its unsaved changes. */
export const TemplateEditor = ({ id }: PathParams<typeof paths.templateEditor>) => {
  const resource = useResource(id, (options) => client.templates.get({ path: { id } }, options))
  const { value } = resource
  if (value !== undefined) return <Editor template={value} saved={resource.replace} />
  const back = { href: linkTo(paths.template, { id }), label: "Template" }
  return <PendingView title="Edit the template" back={back} resource={resource} />
}
