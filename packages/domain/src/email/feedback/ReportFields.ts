/** Header fields (RFC 5322) in order: names in lower case, values unfolded. */
export type ReportFields = ReadonlyArray<{ readonly name: string; readonly value: string }>

const fieldName = /^([!-9;-~]+)[ \t]*:/

const readGroup = (lines: ReadonlyArray<string>): ReportFields => {
  const fields: Array<{ readonly name: string; readonly lines: Array<string> }> = []
  for (const line of lines) {
    const name = fieldName.exec(line)
    if (/^[ \t]/.test(line)) {
      fields.at(-1)?.lines.push(line.trim())
    } else if (name !== null) {
      fields.push({ name: (name[1] ?? "").toLowerCase(), lines: [line.slice(name[0].length).trim()] })
    }
  }
  // Lines are joined once per field: a malicious field can be folded over every line of the mail.
  return fields.map(({ lines: folded, name }) => ({ name, value: folded.join(" ").trim() }))
}

/** Groups of fields, separated by empty lines. Lines that are not fields are skipped. */
export const readFieldGroups = (text: string): ReadonlyArray<ReportFields> => {
  const groups: Array<Array<string>> = [[]]
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.trim() === "") groups.push([])
    else groups.at(-1)?.push(line)
  }
  return groups.map(readGroup).filter((group) => group.length > 0)
}

/** The value of the first field with this name, or an empty text. */
export const fieldOf = (fields: ReportFields, name: string): string =>
  fields.find((field) => field.name === name)?.value ?? ""
