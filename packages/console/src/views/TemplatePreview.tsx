import { useRef, useState } from "preact/hooks"
import { client } from "../app/Client.js"
import { linkTo, paths } from "../app/Paths.js"
import { can } from "../app/SessionState.js"
import type { RenderedTemplate, Template } from "../app/Types.js"
import { submitTo, useAction } from "../components/Actions.js"
import { type JsonObject, parseJsonObject } from "../components/Fields.js"
import { Icon } from "../components/Icon.js"
import { PreviewFrame } from "../components/MailContent.js"
import { ErrorNotice } from "../components/Notices.js"
import { Card } from "../components/Resource.js"
import { Tabs } from "../components/Tabs.js"
import { useDebounced, useLoad } from "../components/View.js"
import { testAddress } from "./Content.js"
import { useSenders } from "./Sender.js"
import { exampleData } from "./TemplateTags.js"

/** The key of the address that was used last, in the storage of the tab. It replaces that of the default sender. */
const storageKey = "test-address"

/** Sends what the preview shows to one address. */
const TestSend = ({ rendered }: { readonly rendered: RenderedTemplate | undefined }) => {
  const defaultSender = useSenders().find(({ isDefault }) => isDefault)
  const [entered, setEntered] = useState<string>()
  const [messageId, setMessageId] = useState<string>()
  const address = entered ?? sessionStorage.getItem(storageKey) ?? defaultSender?.email ?? testAddress
  const { busy, error, run } = useAction(async () => {
    if (rendered === undefined) return
    const { html, subject, text } = rendered
    setMessageId(undefined)
    const { id } = await client.messages.send({
      payload: {
        channel: "email",
        to: [{ email: address }],
        email: { subject, html, text },
        isTest: true,
        // Without a key, an equal send within a minute is the same message.
        idempotencyKey: `console test ${Date.now()} ${Math.random()}`
      }
    })
    sessionStorage.setItem(storageKey, address)
    setMessageId(id)
  })
  return (
    <form class="test-send" onSubmit={submitTo(run)}>
      <label class="field">
        <span>Send a test to</span>
        <input
          required
          type="email"
          autocomplete="off"
          value={address}
          onInput={(event) => setEntered(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="button" disabled={busy || rendered === undefined}>
        <Icon name="send" />
        Send test
      </button>
      <p role="status">
        {messageId !== undefined && (
          <>
            The test is sent.{" "}
            <a href={linkTo(paths.message, { id: messageId })} target="_blank" rel="noreferrer">
              Show the message in a new tab
            </a>
          </>
        )}
      </p>
      {error !== undefined && <ErrorNotice error={error} />}
    </form>
  )
}

/** The parts of a template that are not stored. */
interface TemplateChanges {
  readonly subject?: string
  readonly html?: string
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
    {html === undefined ? (
      <pre class="mail-text">{text}</pre>
    ) : (
      <>
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
    )}
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
  const { html = "", subject = "", text, variables } = changes ?? template
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
    <Card class="template-preview" title="Preview">
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
      {template.channel === "email" && can("messages.send") && (
        <TestSend rendered={error === undefined ? value : undefined} />
      )}
    </Card>
  )
}
