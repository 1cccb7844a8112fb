/** Text as a documentation comment (JSDoc), with a line break at the end. Empty without text. */
export const comment = (text: string | undefined): string => {
  if (text === undefined || text === "") return ""
  const lines = text.replaceAll("*/", "*\\/").split("\n")
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`
}

/** Text with each line indented by two spaces. */
export const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, "  ")
