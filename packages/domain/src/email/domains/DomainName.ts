import { Schema } from "effect"

const shortest = 3
const longest = 255

/** Labels of at most 63, none with a hyphen at its ends; the last has letters alone, or is the A-label of some. */
const form = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/

const problemOf = (name: string): string | undefined => {
  // The length comes first: everything after it may then take its time.
  if (name.length < shortest || name.length > longest) return `must have ${shortest} to ${longest} characters`
  return form.test(name)
    ? undefined
    : "must be a domain like example.com in lower case: labels of letters, digits and hyphens, the last of at least 2 letters"
}

/** A domain as its owner names it: in lower case, an internationalized one by its A-labels. */
export const DomainName = Schema.String.pipe(Schema.filter(problemOf)).annotations({
  identifier: "DomainName",
  description: "a domain",
  jsonSchema: {
    type: "string",
    minLength: shortest,
    maxLength: longest,
    pattern: form.source,
    examples: ["example.com"]
  }
})
