import { useState } from "preact/hooks"
import { client } from "../../app/Client.js"
import { changeQuery, navigate, place } from "../../app/Location.js"
import { linkTo, paths } from "../../app/Paths.js"
import { can } from "../../app/SessionState.js"
import { showDone } from "../../app/Toasts.js"
import { ErrorNotice } from "../../components/ErrorNotice.js"
import { Icon } from "../../components/Icon.js"
import { useAction } from "../../components/UseAction.js"
import { useLoad } from "../../components/UseLoad.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { type Content, emailOf, emptyContent, recipientsOf, testAddress } from "./Content.js"
import { ContentFields } from "./ContentFields.js"
import { SenderField } from "./SenderField.js"
import { TemplateFields } from "./TemplateFields.js"

const loadTemplates = async (signal: AbortSignal) => {
  if (!can("templates.read")) return []
  const { items } = await client.templates.list({ urlParams: { limit: 100 } }, { signal })
  return items
}

/** The form to send a message, with its own content or with a template. */
const SendView = () => {
  const [content, setContent] = useState<Content>(emptyContent)
  const change = (changes: Partial<Content>) => setContent((current) => ({ ...current, ...changes }))
  const templates = useLoad(loadTemplates, [])
  const template = templates.value?.find(({ id }) => id === place.value.query.get("template"))
  const { busy, error, run } = useAction(async () => {
    const { id } = await client.messages.send({
      payload: { channel: "email", to: recipientsOf(content.to), email: emailOf(content, template) }
    })
    showDone("The message is accepted")
    navigate(linkTo(paths.message, { id }))
  })
  const submit = (event: Event) => {
    event.preventDefault()
    void run()
  }
  return (
    <>
      <ViewHeader title="Send a message" />
      <form class="card padded form send" onSubmit={submit}>
        <SenderField value={content.from} change={(from) => change({ from })} />
        <label class="field">
          <span>To</span>
          <input
            required
            autocomplete="off"
            placeholder="ada@example.com, Grace <grace@example.com>"
            value={content.to}
            onInput={(event) => change({ to: event.currentTarget.value })}
          />
        </label>
        <button type="button" class="link" onClick={() => change({ to: testAddress })}>
          Use the test address {testAddress}
        </button>
        {templates.error !== undefined && <ErrorNotice error={templates.error} retry={templates.reload} />}
        {templates.value !== undefined && templates.value.length > 0 && (
          <label class="field">
            <span>Template</span>
            <select
              value={template?.id ?? ""}
              onChange={(event) => changeQuery({ template: event.currentTarget.value })}
            >
              <option value="">None</option>
              {templates.value.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        {template === undefined ? (
          <ContentFields content={content} change={change} />
        ) : (
          <TemplateFields
            key={template.id}
            template={template}
            data={content.data}
            change={(data) => change({ data })}
          />
        )}
        {error !== undefined && <ErrorNotice error={error} />}
        <div class="buttons">
          <button type="submit" class="button primary" disabled={busy}>
            <Icon name="send" />
            Send
          </button>
        </div>
      </form>
    </>
  )
}

export default SendView
