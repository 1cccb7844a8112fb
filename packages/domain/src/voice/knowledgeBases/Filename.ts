import { Schema } from "effect"

const longest = 255

/** Control characters, and what turns the direction of the text beside it: `exe.fdp` would be read as `pdf.exe`. */
const deceiving = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

const problemOf = (text: string): string | undefined => {
  if (text.length < 1 || text.length > longest) return `must have 1 to ${longest} characters`
  if (deceiving.test(text)) return "must not contain control characters, or characters that turn the direction of text"
  return /[/\\]/.test(text) || /^\.{1,2}$/.test(text) ? "must be the name of a file, without folders" : undefined
}

/** What a file is called, in no folder. It is shown and given back, and never a path of ours. */
export const Filename = Schema.String.pipe(Schema.filter(problemOf)).annotations({
  description: "the name of a file",
  jsonSchema: { type: "string", minLength: 1, maxLength: longest, examples: ["opening-hours.pdf"] }
})
