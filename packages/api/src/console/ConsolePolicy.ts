/**
 * The Content-Security-Policy of the console: only its own files and requests to its own origin. Frames show mails, which
 * have a policy of their own; `blob:` is for recordings.
 */
export const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "media-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

/**
 * The Content-Security-Policy of the frame that shows the HTML of a preview: its own script, styles and inline images.
 * The sandbox gives it an origin of its own, and forbids pop-ups and navigation of the console.
 */
export const previewPolicy = (scriptHash: string) =>
  [
    "sandbox allow-scripts",
    "default-src 'none'",
    `script-src 'sha256-${scriptHash}'`,
    "style-src 'unsafe-inline'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'"
  ].join("; ")
