/** The longest text that variables can make of one. */
const longest = 20_000

/** A text with what the variables hold in place of their `{{names}}`; nothing in place of one that holds nothing. */
export const fillText = (text: string, variables: Readonly<Record<string, string>>): string =>
  text
    .replaceAll(
      /\{\{\s*(\w+)\s*\}\}/g,
      (_, name: string) => (Object.hasOwn(variables, name) ? variables[name] : "") ?? ""
    )
    .slice(0, longest)
