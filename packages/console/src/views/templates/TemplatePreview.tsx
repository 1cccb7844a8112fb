import { useRef, useState } from "preact/hooks"
import { client } from "../../app/Client.js"
import { can } from "../../app/SessionState.js"
import type { RenderedTemplate, Template } from "../../app/Types.js"
import { ErrorNotice } from "../../components/ErrorNotice.js"
import { type JsonObject, parseJsonObject } from "../../components/JsonObject.js"
import { PreviewFrame } from "../../components/PreviewFrame.js"
import { Tabs } from "../../components/Tabs.js"
import { useDebounced } from "../../components/UseDebounced.js"
import { useLoad } from "../../components/UseLoad.js"
import { exampleData } from "./TemplateTags.js"
import { TestSend } from "./TestSend.js"

/** The parts of a template that are not stored. */
export interface TemplateChanges {
  readonly subject: string
  readonly html: string
  readonly text: string | null
  readonly variables: ReadonlyArray<{ readonly name: string; readonly fallback: string }>
}

interface TemplatePreviewProps {
  readonly template: Template
  /** Default: none. */
  readonly changes?: TemplateChanges
}

const Rendered = ({ missing, html, subject, text }: RenderedTemplate) => (
  <>
    {missing.length > 0 && (
      <p class="missing" role="status">
        A send without these variables is rejected: {missing.join(", ")}
      </p>
    )}
    <p class="rendered-subject">
      <span class="hint">Subject</span> <strong>{subject}</strong>
    </p>
    <Tabs
      label="Forms of the preview"
      tabs={[
        { name: "html", label: "HTML", content: () => <PreviewFrame title="HTML of the preview" html={html} /> },
        { name: "text", label: "Text", content: () => <pre class="mail-text">{text}</pre> }
      ]}
    />
  </>
)

/** The data of the preview as JSON: examples of the placeholders until they are edited. */
const useData = (parts: ReadonlyArray<string>, fallbacks: ReadonlySet<string>) => {
  const [edited, setEdited] = useState<string>()
  const valid = useRef<JsonObject>({})
  const json = edited ?? JSON.stringify(exampleData(parts, fallbacks), null, 2)
  let problem: string | undefined
  try {
    valid.current = parseJsonObject(json)
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error)
  }
  return { json, problem, data: valid.current, isEdited: edited !== undefined, setEdited }
}

/** The template with data: its subject, its HTML in a sandboxed frame, its text. */
export const TemplatePreview = ({ changes, template }: TemplatePreviewProps) => {
  const { id, version } = template
  const { html, subject, text, variables } = changes ?? template
  const fallbacks = variables.flatMap(({ fallback, name }) => (fallback === undefined ? [] : [name]))
  const { data, isEdited, json, problem, setEdited } = useData([subject, html, text ?? ""], new Set(fallbacks))
  const payload = { ...changes, data }
  const { error, value } = useLoad(
    (signal) => client.templates.render({ path: { id }, payload }, { signal }),
    [id, version, useDebounced(JSON.stringify(payload))]
  )
  // Stays while the template cannot be rendered.
  const latest = useRef(value)
  latest.current = value ?? latest.current
  return (
    <section class="card template-preview" aria-labelledby="preview">
      <h2 id="preview">Preview</h2>
      <label class="field">
        <span>Data</span>
        <textarea
          class="code"
          rows={Math.min(12, Math.max(4, json.split("\n").length))}
          spellcheck={false}
          aria-invalid={problem !== undefined}
          aria-describedby="data-problem"
          value={json}
          onInput={(event) => setEdited(event.currentTarget.value)}
        />
        <small id="data-problem" role="status" class={problem === undefined ? undefined : "problem"}>
          {problem === undefined ? "A JSON object with the variables" : `The data is not a JSON object. ${problem}`}
        </small>
      </label>
      {isEdited && (
        <button type="button" class="link" onClick={() => setEdited(undefined)}>
          Use example data
        </button>
      )}
      {error !== undefined && <ErrorNotice error={error} />}
      {latest.current !== undefined ? (
        <Rendered {...latest.current} />
      ) : (
        error === undefined && <p class="loading" role="status" aria-label="Loading" />
      )}
      {can("messages.send") && <TestSend rendered={error === undefined ? value : undefined} />}
    </section>
  )
}
