import { Schema } from "effect"

const minLength = 3
const maxLength = 255

/** Labels have at most 63 characters and no hyphen at either end. The last label has only letters, or is an A-label. */
const form = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/

const problemOf = (name: string): string | undefined => {
  // The length is checked first, to bound the cost of the expression that follows.
  if (name.length < minLength || name.length > maxLength) return `must have ${minLength} to ${maxLength} characters`
  return form.test(name)
    ? undefined
    : "must be a domain like example.com in lower case: labels of letters, digits and hyphens, the last of at least 2 letters"
}

/** A domain in lower case; internationalized labels are A-labels. */
export const DomainName = Schema.String.pipe(Schema.filter(problemOf)).annotations({
  identifier: "DomainName",
  description: "a domain",
  jsonSchema: {
    type: "string",
    minLength,
    maxLength,
    pattern: form.source,
    examples: ["example.com"]
  }
})
