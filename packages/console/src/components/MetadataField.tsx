import { TextField } from "./Field.js"
import { textOf } from "./FormValues.js"
import { type JsonObject, parseJsonObject } from "./JsonObject.js"

/** The metadata of a form; undefined if the field is empty. */
export const metadataOf = (form: FormData): JsonObject | undefined => {
  const text = textOf(form, "metadata")
  try {
    return text === undefined ? undefined : parseJsonObject(text)
  } catch (error) {
    throw new Error(`The metadata is not a JSON object. ${error instanceof Error ? error.message : error}`)
  }
}

/** The field of the organization's own values of a resource, as JSON. */
export const MetadataField = ({ value = {} }: { readonly value?: JsonObject | undefined }) => (
  <TextField
    label="Metadata"
    name="metadata"
    lines={4}
    isCode
    placeholder='{"customer": "B-1815"}'
    value={Object.keys(value).length === 0 ? "" : JSON.stringify(value, null, 2)}
    hint="A JSON object of your own."
  />
)

/** The metadata of a resource beside its facts; nothing without metadata. */
export const MetadataCard = ({ value = {} }: { readonly value?: JsonObject | undefined }) =>
  Object.keys(value).length === 0 ? null : (
    <section class="card" aria-labelledby="metadata">
      <h2 id="metadata">Metadata</h2>
      <pre class="metadata">{JSON.stringify(value, null, 2)}</pre>
    </section>
  )
