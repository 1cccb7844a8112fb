import { createHash } from "node:crypto"
import { type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import type { Organization, OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { Effect } from "effect"
import { languageOf, textsOf } from "./RecipientTexts.js"

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 32rem; padding: 4rem 1rem }
img { max-height: 4rem; max-width: 100% }
bdi { font-weight: bold; overflow-wrap: anywhere }
button { font: inherit; padding: 0.5rem 1rem }`

const hash = createHash("sha256").update(style).digest("base64")

/** A Content-Security-Policy that allows only the style of the page, a form to the same origin, and a logo. */
const policyWith = (images: string) =>
  `default-src 'none'; style-src 'sha256-${hash}'; ${images}form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

export const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? "")

/** A name or an address in a sentence. Its direction of writing does not change that of the sentence. */
export const marked = (text: string) => `<bdi>${escaped(text)}</bdi>`

/** The organization that a page is about. */
type PageOrganization = Pick<Organization, "logo" | "name">

/** Finds the organization of a page. One that no longer exists has no name. */
export const findOrganization = Effect.map(
  Organizations,
  ({ get }) =>
    (id: OrganizationId) =>
      Effect.catchTag(get(id), "ResourceNotFoundError", () => Effect.succeed<PageOrganization>({ name: "–" }))
)

/** The logo, if it is loaded encrypted. The name of the organization is its text. */
const logoOf = ({ logo = "", name }: PageOrganization) =>
  /^https:/i.test(logo)
    ? `<p><img src="${escaped(logo)}" alt="${escaped(name)}" referrerpolicy="no-referrer"></p>\n`
    : ""

/** The texts for a request, and its pages: HTML in the language of the recipient. */
export const recipientPages = ({ headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">) => {
  const language = languageOf(headers["accept-language"])
  const page = (status: number, title: string, body: string, organization?: PageOrganization) => {
    const logo = organization === undefined ? "" : logoOf(organization)
    return HttpServerResponse.text(
      `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head>
<body><main>${logo}<h1>${title}</h1>
${body}
</main></body></html>
`,
      {
        status,
        contentType: "text/html; charset=utf-8",
        headers: {
          "content-language": language,
          "content-security-policy": policyWith(logo === "" ? "" : "img-src https:; "),
          vary: "accept-language"
        }
      }
    )
  }
  return { texts: textsOf(language), page }
}
