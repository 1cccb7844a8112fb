import { createHash } from "node:crypto"
import { HttpServerResponse } from "@effect/platform"

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 32rem; padding: 4rem 1rem }
button { font: inherit; padding: 0.5rem 1rem }`

const hash = createHash("sha256").update(style).digest("base64")

/** The page's own style, and the way back to where it came from: nothing else. */
const policy = `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

const page = (status: number, title: string, body: string) =>
  HttpServerResponse.text(
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head>
<body><h1>${title}</h1>
${body}
</body></html>
`,
    { status, contentType: "text/html; charset=utf-8", headers: { "content-security-policy": policy } }
  )

/** Asks; the form leads to the address that it stands at, which has the token. */
export const askPage = (email: string) =>
  page(
    200,
    "Confirm a sender",
    `<p>Somebody asked to send e-mail from <b>${escaped(email)}</b>.</p>
<form method="post"><button>Confirm this address</button></form>
<p>If you know nothing of this, close this page: no mail is sent from your address.</p>`
  )

export const confirmedPage = (email: string) =>
  page(200, "Confirmed", `<p>E-mail may be sent from <b>${escaped(email)}</b> now. You can close this page.</p>`)

export const unknownPage = page(
  404,
  "This link is not valid",
  "<p>No sender waits for it. Please see whether all of the link was opened, and whether there is a newer mail.</p>"
)

export const overPage = (why: "used" | "expired") =>
  why === "used"
    ? page(410, "Confirmed already", "<p>This link was used before: the address is confirmed.</p>")
    : page(410, "This link is too old", "<p>Links hold 48 hours. The sender has to be added again.</p>")
