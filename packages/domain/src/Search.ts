import { Option, Schema } from "effect"
import { domainToAscii } from "./email/EmailAddress.js"
import { text } from "./Text.js"

const description = "a part of a text, without the blanks around it"

/** The text of a search, trimmed. */
export const SearchText = Schema.transform(Schema.String, Schema.String, {
  strict: true,
  decode: (given) => given.trim(),
  encode: (search) => search
}).annotations({ description, jsonSchema: { type: "string" } })

/** The same with at least three characters, which a trigram index serves. */
export const IndexedSearchText = SearchText.pipe(Schema.compose(text(3, 998))).annotations({
  description,
  jsonSchema: { type: "string", minLength: 3, maxLength: 998, pattern: "^\\s*\\S[\\s\\S]+\\S\\s*$" }
})

/** The forms of a searched text: as written, and with an internationalized domain in A-labels, as addresses are stored. */
export const searchedForms = (search: string): ReadonlyArray<string> => {
  const start = search.lastIndexOf("@") + 1
  const domain = search.slice(start)
  if (/^\p{ASCII}*$/u.test(domain)) return [search]
  return [search, ...Option.toArray(domainToAscii(domain)).map((ascii) => search.slice(0, start) + ascii)]
}
