import type { Template } from "../../app/Types.js"
import { TextField } from "../../components/Field.js"
import { requiredText, sourceText } from "../../components/FormValues.js"

/** The prefix of the names of the fields for fallbacks. */
const fallbackPrefix = "fallback."

/** The request of a form. `text` is null if it is empty. */
export const templateOf = (form: FormData) => {
  const text = sourceText(form, "text")
  return {
    name: requiredText(form, "name"),
    subject: requiredText(form, "subject"),
    html: sourceText(form, "html"),
    text: text === "" ? null : text,
    variables: [...form].flatMap(([field, value]) =>
      field.startsWith(fallbackPrefix) && typeof value === "string" && value !== ""
        ? [{ name: field.slice(fallbackPrefix.length), fallback: value }]
        : []
    )
  }
}

/** The fields of a new template, or of one to change with the fallbacks of its variables. */
export const TemplateFields = ({ template }: { readonly template?: Template }) => (
  <>
    <TextField label="Name" name="name" required placeholder="Welcome" value={template?.name ?? ""} />
    <TextField
      label="Subject"
      name="subject"
      required
      placeholder="Welcome, {{name}}"
      value={template?.subject ?? ""}
    />
    <TextField
      label="HTML"
      name="html"
      lines={12}
      isCode
      placeholder="<p>Hello {{name}}</p>"
      value={template?.html ?? ""}
      hint="Mustache: {{name}}, {{#items}}…{{/items}}, {{^items}}…{{/items}}"
    />
    <TextField label="Text" name="text" lines={4} isCode value={template?.text ?? ""} hint="Default: from the HTML." />
    {(template?.variables ?? []).map(({ fallback, name }) => (
      <TextField
        key={name}
        label={`Fallback of ${name}`}
        name={`${fallbackPrefix}${name}`}
        value={fallback ?? ""}
        hint="Used if the data of a send has no value."
      />
    ))}
  </>
)
