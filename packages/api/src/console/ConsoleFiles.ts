import { createHash } from "node:crypto"
import { FileSystem } from "@effect/platform"
import { Effect } from "effect"
import type { Content } from "../http/Compression.js"

/**
 * The Content-Security-Policy of the console: only its own files and requests to its own origin. Frames show mails, which
 * have a policy of their own; `blob:` is for recordings.
 */
const consolePolicy = [
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
const previewPolicy = (scriptHash: string) =>
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

/** The page that every view of the console starts with. */
export const indexFile = "index.html"

/** The folder of the files with a hash of their content in the name: their content never changes. */
const hashedFolder = "assets/"

const mediaTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml"
}

/** The page of the frame that shows the HTML of a preview. */
const previewFile = "preview.html"

const hashOfScript = (page: string) =>
  createHash("sha256")
    .update(/<script>([\s\S]*)<\/script>/.exec(page)?.[1] ?? "")
    .digest("base64")

const headersOf = (name: string, text: string): Readonly<Record<string, string>> => {
  if (name === indexFile) return { "content-security-policy": consolePolicy }
  if (name === previewFile) {
    return { "content-security-policy": previewPolicy(hashOfScript(text)), "x-frame-options": "SAMEORIGIN" }
  }
  return name.startsWith(hashedFolder) ? { "cache-control": "public, max-age=31536000, immutable" } : {}
}

/**
 * The files of the console by their path relative to its folder. The page refers to its files with paths relative to
 * `/console/`; views have deeper paths, so that these become absolute. `basePath` is the path of the service on its host.
 */
export const readConsoleFiles = (folder: string, basePath: string) =>
  Effect.gen(function* () {
    const fileSystem = yield* FileSystem.FileSystem
    const names = yield* fileSystem.readDirectory(folder, { recursive: true })
    const contents = yield* Effect.forEach(names, (path) => {
      const name = path.replaceAll("\\", "/")
      const contentType = mediaTypes[name.slice(name.lastIndexOf(".") + 1)]
      if (contentType === undefined) return Effect.succeed([])
      return Effect.map(
        fileSystem.readFileString(`${folder}/${path}`),
        (text): Array<readonly [string, Content]> => [
          [
            name,
            {
              text: name === indexFile ? text.replaceAll('="./', `="${basePath}/console/`) : text,
              contentType,
              headers: headersOf(name, text)
            }
          ]
        ]
      )
    })
    return new Map(contents.flat())
  })
