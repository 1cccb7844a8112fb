import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"

interface FieldProps {
  readonly label: string
  readonly name: string
  readonly hint?: ComponentChildren
  readonly value?: string
  readonly placeholder?: string
  readonly required?: boolean
}

interface TextFieldProps extends FieldProps {
  /** The keyboard that a phone shows. */
  readonly inputMode?: "text" | "email" | "url" | "numeric"
  /** With more than one line the field is a text area. */
  readonly lines?: number
}

/** A field for text with its label. `value` is its first value. */
export const TextField = ({
  hint,
  label,
  lines = 1,
  name,
  placeholder,
  required,
  value,
  inputMode
}: TextFieldProps) => {
  const id = useId()
  const shared = {
    id,
    name,
    defaultValue: value ?? "",
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
        <textarea {...shared} rows={lines} />
      ) : (
        <input {...shared} type="text" inputMode={inputMode ?? "text"} />
      )}
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
