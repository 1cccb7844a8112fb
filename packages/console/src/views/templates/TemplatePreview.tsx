import { useState } from "preact/hooks"
import { client, serviceUrl } from "../../app/Client.js"
import type { Template } from "../../app/Types.js"
import { ErrorNotice } from "../../components/ErrorNotice.js"
import { HtmlFrame } from "../../components/HtmlFrame.js"
import { Tabs } from "../../components/Tabs.js"
import { useLoad } from "../../components/UseLoad.js"
import { exampleData, parseData, type TemplateData } from "./ExampleData.js"

interface RenderedProps {
  readonly template: Template
  readonly data: TemplateData
}

const Rendered = ({ data, template: { id, version } }: RenderedProps) => {
  const json = JSON.stringify(data)
  const { error, value } = useLoad(
    (signal) => client.templates.render({ path: { id }, payload: { data } }, { signal }),
    [id, version, json]
  )
  if (error !== undefined) return <ErrorNotice error={error} />
  if (value === undefined) return <p class="loading" role="status" aria-label="Loading" />
  const { missing, subject, text } = value
  const query = new URLSearchParams({ data: json })
  return (
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
          {
            name: "html",
            label: "HTML",
            content: () => (
              <HtmlFrame
                key={`${version} ${json}`}
                title="HTML of the preview"
                src={`${serviceUrl}/v1/email/templates/${id}/html?${query}`}
              />
            )
          },
          { name: "text", label: "Text", content: () => <pre class="mail-text">{text}</pre> }
        ]}
      />
    </>
  )
}

/** The template with data: its subject, its HTML in a sandboxed frame, its text. */
export const TemplatePreview = ({ template }: { readonly template: Template }) => {
  const [json, setJson] = useState(() => JSON.stringify(exampleData(template), null, 2))
  const [data, setData] = useState(() => parseData(json))
  const [problem, setProblem] = useState<string>()
  const change = (text: string) => {
    setJson(text)
    try {
      setData(parseData(text))
      setProblem(undefined)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <section class="card template-preview" aria-labelledby="preview">
      <h2 id="preview">Preview</h2>
      <label class="field">
        <span>Data</span>
        <textarea
          class="code"
          rows={6}
          spellcheck={false}
          aria-invalid={problem !== undefined}
          aria-describedby="data-problem"
          value={json}
          onInput={(event) => change(event.currentTarget.value)}
        />
        <small id="data-problem" role="status">
          {problem === undefined ? "A JSON object with the variables" : `The data is not a JSON object. ${problem}`}
        </small>
      </label>
      <Rendered template={template} data={data} />
    </section>
  )
}
