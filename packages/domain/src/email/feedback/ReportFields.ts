/** Fields as a header has them (RFC 5322): names in lower case, values unfolded, in their order. */
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
  // Joined once: a stranger may fold a field as often as a mail has lines.
  return fields.map(({ lines: folded, name }) => ({ name, value: folded.join(" ").trim() }))
}

/** Groups of fields with empty lines between them. What is no field is passed over. */
export const readFieldGroups = (text: string): ReadonlyArray<ReportFields> => {
  const groups: Array<Array<string>> = [[]]
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.trim() === "") groups.push([])
    else groups.at(-1)?.push(line)
  }
  return groups.map(readGroup).filter((group) => group.length > 0)
}

/** What a field says the first time, or nothing. */
export const fieldOf = (fields: ReportFields, name: string): string =>
  fields.find((field) => field.name === name)?.value ?? ""
