import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { S3Bucket } from "@switchboard/channels/objects/S3Requests"
import { Effect, Redacted } from "effect"
import S3rver from "s3rver"
import { signatureProblem } from "./SignatureV4.js"

const secret = "S3RVER"

/** What a bucket answers in place of its own answer: tests set it. */
export interface Mood {
  answer: ((response: ServerResponse) => void) | null
}

const refuse = (request: IncomingMessage, response: ServerResponse, code: string) => {
  request.resume()
  response.writeHead(403, { "content-type": "application/xml" })
  response.end(`<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>No.</Message></Error>`)
}

/** An S3 server over loopback. It keeps objects as S3 does; the signatures, which it would believe, are checked before it. */
export const s3Server = Effect.gen(function* () {
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "switchboard-s3-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const options = { directory, silent: true, configureBuckets: [{ name: "objects", configs: [] }] }
  const s3rver = new S3rver(options)
  yield* Effect.promise(() => s3rver.configureBuckets())
  const handle = s3rver.callback()
  const mood: Mood = { answer: null }
  const server = createServer((request, response) => {
    if (mood.answer !== null) {
      request.resume()
      return mood.answer(response)
    }
    const problem = signatureProblem(request, "S3RVER", secret)
    if (problem === null) handle(request, response)
    else refuse(request, response, problem)
  })
  yield* Effect.acquireRelease(
    Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  const address = server.address()
  const port = typeof address === "object" ? address?.port : null
  const bucket: typeof S3Bucket.Service = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: "objects",
    region: "eu-central-1",
    accessKeyId: "S3RVER",
    secretAccessKey: Redacted.make(secret)
  }
  return { bucket, mood }
})
