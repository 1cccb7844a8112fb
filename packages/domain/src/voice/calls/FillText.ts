/** The maximum number of characters of a text after substitution. */
const maxTextLength = 20_000

/** Replaces `{{name}}` by the value of the variable, or by an empty text if it has none. */
export const fillText = (text: string, variables: Readonly<Record<string, string>>): string =>
  text
    .replaceAll(
      /\{\{\s*(\w+)\s*\}\}/g,
      (_, name: string) => (Object.hasOwn(variables, name) ? variables[name] : "") ?? ""
    )
    .slice(0, maxTextLength)
