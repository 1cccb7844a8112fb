import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { localTime } from "./Format.js"

/** The trimmed text of a field; undefined if it is empty. */
export const textOf = (form: FormData, name: string): string | undefined => {
  const value = form.get(name)
  const text = typeof value === "string" ? value.trim() : ""
  return text === "" ? undefined : text
}

/** The text of a required field. The service names the field if it is empty. */
export const requiredText = (form: FormData, name: string): string => textOf(form, name) ?? ""

/** The password of a field. Spaces are a part of it. */
export const passwordOf = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === "string" ? value : ""
}

/** The texts of fields with one name, or of the lines of a field. */
export const textsOf = (form: FormData, name: string): ReadonlyArray<string> =>
  form
    .getAll(name)
    .flatMap((value) => (typeof value === "string" ? value.split(/[\n,]/) : []))
    .map((text) => text.trim())
    .filter((text) => text !== "")

/** Whether a check box is checked. */
export const isChecked = (form: FormData, name: string): boolean => form.has(name)

/** The file of a field. */
export const fileOf = (form: FormData, name: string): File | undefined => {
  const value = form.get(name)
  return value instanceof File && value.name !== "" ? value : undefined
}

/** The time of a field; undefined if it is empty. */
export const timeOf = (form: FormData, name: string): Date | undefined => {
  const text = textOf(form, name)
  return text === undefined ? undefined : new Date(text)
}

interface LabelledProps {
  readonly label: string
  readonly hint?: ComponentChildren
}

interface FieldProps extends LabelledProps {
  readonly name: string
  readonly required?: boolean | undefined
}

interface FieldBoxProps extends LabelledProps {
  readonly children: (described: { readonly id: string; readonly "aria-describedby"?: string }) => ComponentChildren
}

/** A field between its label and its hint. */
const FieldBox = ({ children, hint, label }: FieldBoxProps) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, ...(hint === undefined ? {} : { "aria-describedby": `${id}-hint` }) })}
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  )
}

interface TextFieldProps extends FieldProps {
  readonly value?: string | number | Date | undefined
  readonly placeholder?: string | undefined
  /** Whether the field is for a time, in the zone of the browser. */
  readonly isTime?: boolean
  /** The keyboard that a phone shows. */
  readonly inputMode?: "text" | "email" | "url" | "numeric" | "tel"
  /** With more than one line the field is a text area. */
  readonly lines?: number
  readonly isCode?: boolean
  /** Called with each change of the text: `value` is then its value, otherwise its first value. */
  readonly change?: (value: string) => void
  /** Values to choose from; others can be entered, too. */
  readonly suggestions?: ReadonlyArray<string>
}

/** A field for text with its label. */
export const TextField = (props: TextFieldProps) => {
  const { change, inputMode = "text", isCode = false, isTime = false, lines = 1, suggestions, value = "" } = props
  const text = value instanceof Date ? localTime(value) : String(value)
  const input = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
    change?.(currentTarget.value)
  return (
    <FieldBox {...props}>
      {(described) => {
        const shared = {
          ...described,
          ...(change === undefined ? { defaultValue: text } : { value: text, onInput: input }),
          name: props.name,
          autocomplete: "off",
          spellcheck: false,
          placeholder: props.placeholder,
          required: props.required
        } as const
        if (lines > 1) return <textarea {...shared} class={isCode ? "code" : undefined} rows={lines} />
        if (isTime) return <input {...shared} type="datetime-local" />
        if (suggestions === undefined) return <input {...shared} type="text" inputMode={inputMode} />
        return (
          <>
            <input {...shared} type="text" inputMode={inputMode} list={`${shared.id}-suggestions`} />
            <datalist id={`${shared.id}-suggestions`}>
              {suggestions.map((suggestion) => (
                <option key={suggestion} value={suggestion} />
              ))}
            </datalist>
          </>
        )
      }}
    </FieldBox>
  )
}

interface AccountFieldProps extends FieldProps {
  /** What a password manager fills in. */
  readonly autocomplete: "username" | "name" | "current-password" | "new-password" | "one-time-code"
}

/** A required field about the person at the browser. A password is not shown. */
export const AccountField = (props: AccountFieldProps) => (
  <FieldBox {...props}>
    {(described) => {
      const { autocomplete, name } = props
      const shared = { ...described, name, autocomplete, spellcheck: false, required: true } as const
      if (autocomplete === "name" || autocomplete === "one-time-code") return <input {...shared} type="text" />
      if (autocomplete === "username") return <input {...shared} type="text" inputMode="email" autocapitalize="off" />
      return <input {...shared} type="password" />
    }}
  </FieldBox>
)

/** The field for a new password. */
export const NewPasswordField = ({ label = "Password", name = "password" }) => (
  <AccountField label={label} name={name} autocomplete="new-password" hint="10 to 200 characters." />
)

/** The field for a code of the second factor. */
export const FactorCodeField = () => (
  <AccountField
    label="Code"
    name="code"
    autocomplete="one-time-code"
    hint="Of the authenticator app, or a recovery code."
  />
)

interface SelectFieldProps extends FieldProps {
  readonly value?: string | undefined
  /** The values with their labels. */
  readonly options: ReadonlyArray<readonly [value: string, label: string]>
}

/** A field for one of several values. */
export const SelectField = (props: SelectFieldProps) => (
  <FieldBox {...props}>
    {(described) => (
      <select {...described} name={props.name}>
        {props.options.map(([option, text]) => (
          <option key={option} value={option} selected={option === props.value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </FieldBox>
)

interface FileFieldProps extends FieldProps {
  /** The types of files to choose from, as in HTML: `.csv,text/csv`. */
  readonly accept: string
}

/** A field for a file. */
export const FileField = (props: FileFieldProps) => (
  <FieldBox {...props}>
    {(described) => (
      <input {...described} name={props.name} type="file" accept={props.accept} required={props.required} />
    )}
  </FieldBox>
)

interface CheckFieldProps {
  readonly label: ComponentChildren
  readonly name: string
  readonly value?: string
  readonly isChecked?: boolean
}

/** A check box with its label. */
export const CheckField = ({ isChecked = false, label, name, value = "yes" }: CheckFieldProps) => (
  <label class="check">
    <input type="checkbox" name={name} value={value} defaultChecked={isChecked} />
    <span>{label}</span>
  </label>
)

export type JsonObject = Readonly<Record<string, unknown>>

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The object of a JSON text. Throws if it is not an object. */
export const parseJsonObject = (json: string): JsonObject => {
  const value: unknown = JSON.parse(json)
  if (!isJsonObject(value)) throw new Error("It must begin with { and end with }.")
  return value
}

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
