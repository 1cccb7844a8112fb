const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** Converts plain text to HTML: escaped, a paragraph for each block of lines, a line break for each other line. */
export const htmlOfText = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, "\n")
    .split(/\n(?:[^\S\n]*\n)+/)
    .map((paragraph) => `<p>${escaped(paragraph).replaceAll("\n", "<br>")}</p>`)
    .join("")
