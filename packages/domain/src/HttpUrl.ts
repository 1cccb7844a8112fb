import { Option, Schema } from "effect"
import { parseUrl } from "./ParseUrl.js"
import { matching, text } from "./Text.js"

const character = "(?:[\\w.~:@!$&'()*+,;=/?-]|%[0-9A-Fa-f]{2})"
const host = "(?:\\[[0-9A-Fa-f:.]+\\]|[\\w.-]+)"
const form = new RegExp(`^[Hh][Tt][Tt][Pp][Ss]?://${host}(?::\\d{1,5})?(?:[/?]${character}*)?(?:#${character}*)?$`)

const sentence = "must be an http or https URL without user name and password"

/** An absolute http or https URL (RFC 3986) without credentials. Letters beyond ASCII are written in A-labels or `%XX`. */
export const HttpUrl = text(1, 2_048).pipe(
  matching(form, sentence),
  Schema.filter((value) => Option.isSome(parseUrl(value)) || sentence, { jsonSchema: { format: "uri" } })
)
