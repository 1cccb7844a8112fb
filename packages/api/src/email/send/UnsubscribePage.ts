const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? "")

const page = (content: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>Unsubscribe</title>
</head>
<body>
${content}
</body>
</html>
`

/** Asks the reader: the button does what a mailbox does with one click (RFC 8058). It posts to where the page is. */
export const unsubscribePage = (recipient: string): string =>
  page(`<h1>Unsubscribe</h1>
<p>Do you want no more e-mail from this sender to <b>${escaped(recipient)}</b>?</p>
<form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button>Unsubscribe</button>
</form>`)

export const unsubscribedPage = (recipient: string): string =>
  page(`<h1>Unsubscribed</h1>
<p>This sender sends no more e-mail to <b>${escaped(recipient)}</b>.</p>`)
