import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { S3Bucket } from "@switchboard/channels/objects/S3Requests"
import { Effect, Redacted } from "effect"
import S3rver from "s3rver"
import { signatureProblem } from "./SignatureV4.js"

const secret = "S3RVER"

/** Replaces the responses of the server while a test sets `respond`. */
export interface ResponseOverride {
  respond: ((response: ServerResponse) => void) | null
}

const refuse = (request: IncomingMessage, response: ServerResponse, code: string) => {
  request.resume()
  response.writeHead(403, { "content-type": "application/xml" })
  response.end(`<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>No.</Message></Error>`)
}

/** A local S3 server. s3rver does not verify all signatures, so they are verified before it. */
export const s3Server = Effect.gen(function* () {
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "switchboard-s3-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const options = { directory, silent: true, configureBuckets: [{ name: "objects", configs: [] }] }
  const s3rver = new S3rver(options)
  yield* Effect.promise(() => s3rver.configureBuckets())
  const handle = s3rver.callback()
  const override: ResponseOverride = { respond: null }
  const server = createServer((request, response) => {
    if (override.respond !== null) {
      request.resume()
      return override.respond(response)
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
  return { bucket, override }
})
