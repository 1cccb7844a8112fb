import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"

interface FieldProps {
  readonly label: string
  readonly name: string
  readonly hint?: ComponentChildren
  readonly value?: string
  readonly placeholder?: string
  readonly required?: boolean | undefined
}

interface TextFieldProps extends FieldProps {
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
export const TextField = ({
  change,
  hint,
  isCode = false,
  isTime = false,
  label,
  lines = 1,
  name,
  placeholder,
  required,
  suggestions,
  value,
  inputMode
}: TextFieldProps) => {
  const id = useId()
  const shared = {
    id,
    name,
    ...(change === undefined
      ? { defaultValue: value ?? "" }
      : {
          value: value ?? "",
          onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
            change(currentTarget.value)
        }),
    autocomplete: "off",
    spellcheck: false,
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(required === undefined ? {} : { required }),
    ...(hint === undefined ? {} : { "aria-describedby": `${id}-hint` })
  } as const
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {lines > 1 ? (
        <textarea {...shared} class={isCode ? "code" : undefined} rows={lines} />
      ) : isTime ? (
        <input {...shared} type="datetime-local" />
      ) : (
        <input
          {...shared}
          type="text"
          inputMode={inputMode ?? "text"}
          {...(suggestions === undefined ? {} : { list: `${id}-suggestions` })}
        />
      )}
      {suggestions !== undefined && (
        <datalist id={`${id}-suggestions`}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  )
}

interface SelectFieldProps extends Omit<FieldProps, "placeholder" | "required"> {
  /** The values with their labels. */
  readonly options: ReadonlyArray<readonly [value: string, label: string]>
}

/** A field for one of several values. */
export const SelectField = ({ hint, label, name, options, value }: SelectFieldProps) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name} {...(hint === undefined ? {} : { "aria-describedby": `${id}-hint` })}>
        {options.map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  )
}

interface FileFieldProps extends Omit<FieldProps, "value" | "placeholder"> {
  /** The types of files to choose from, as in HTML: `.csv,text/csv`. */
  readonly accept: string
}

/** A field for a file. */
export const FileField = ({ accept, hint, label, name, required }: FileFieldProps) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        type="file"
        accept={accept}
        {...(required === undefined ? {} : { required })}
        {...(hint === undefined ? {} : { "aria-describedby": `${id}-hint` })}
      />
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  )
}

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
