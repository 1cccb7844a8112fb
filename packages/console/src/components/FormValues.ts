/** The trimmed text of a field; undefined if it is empty. */
export const textOf = (form: FormData, name: string): string | undefined => {
  const value = form.get(name)
  const text = typeof value === "string" ? value.trim() : ""
  return text === "" ? undefined : text
}

/** The text of a required field. The service names the field if it is empty. */
export const requiredText = (form: FormData, name: string): string => textOf(form, name) ?? ""

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
