import { client } from "../../app/Client.js"
import type { Template } from "../../app/Types.js"
import { ErrorNotice } from "../../components/ErrorNotice.js"
import { useDebounced } from "../../components/UseDebounced.js"
import { useLoad } from "../../components/UseLoad.js"
import { givenData } from "./Content.js"

interface TemplateFieldsProps {
  readonly template: Template
  readonly data: Readonly<Record<string, string>>
  readonly change: (data: Readonly<Record<string, string>>) => void
}

/** The subject and the text that the message will have. */
const Preview = ({ data, template }: Pick<TemplateFieldsProps, "template" | "data">) => {
  const { error, value } = useLoad(
    (signal) => client.templates.render({ path: { id: template.id }, payload: { data: givenData(data) } }, { signal }),
    [template.id, useDebounced(JSON.stringify(data))]
  )
  if (error !== undefined) return <ErrorNotice error={error} />
  return value === undefined ? null : (
    <section class="preview" aria-label="Preview">
      <strong>{value.subject}</strong>
      <pre class="mail-text">{value.text}</pre>
    </section>
  )
}

/** The variables of a template, and a preview with their values. */
export const TemplateFields = ({ change, data, template }: TemplateFieldsProps) => (
  <>
    {template.variables.map(({ fallback, name, required }) => (
      <label key={name} class="field">
        <span>{name}</span>
        <input
          required={required}
          placeholder={fallback ?? ""}
          value={data[name] ?? ""}
          onInput={(event) => change({ ...data, [name]: event.currentTarget.value })}
        />
      </label>
    ))}
    <Preview template={template} data={data} />
  </>
)
