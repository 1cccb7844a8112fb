import { execFile } from "node:child_process"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LiveService } from "../LiveService.js"
import { isCallback } from "./OperationInputs.js"

interface Operation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
  readonly "x-codeSamples": ReadonlyArray<{ readonly source: string }>
}

/** Runs a command of curl; its output is the status of the response. Retries after 503, as the other tests do. */
const statusOf = (key: string, command: string) =>
  Effect.async<string>((resume) => {
    const env = { PATH: process.env.PATH ?? "", KEY: key }
    execFile("sh", ["-c", `${command} --retry 5 -s -o /dev/null -w '%{http_code}'`], { env }, (_, output) =>
      resume(Effect.succeed(output))
    )
  })

layer(LiveService.Shared, { excludeTestServices: true })("The samples of the document", (it) => {
  it.effect("run as they are, if they need no value but the key", () =>
    Effect.gen(function* () {
      const { baseUrl, call, key } = yield* LiveService
      const { body } = yield* call("GET", "/v1/openapi.json")
      const reads = Object.values<Readonly<Record<string, Operation>>>(body.paths).flatMap(({ get }) => get ?? [])
      const posts: ReadonlyArray<Operation> = ["/v1/messages", "/v1/messages/batch", "/v1/api-keys"].map(
        (path) => body.paths[path].post
      )
      const samples = [...reads, ...posts].flatMap(({ operationId, responses, "x-codeSamples": [sample] }) =>
        sample === undefined ||
        isCallback({ id: operationId }) ||
        /\$(?!KEY\b)/.test(sample.source) ||
        "text/event-stream" in (responses[200]?.content ?? {})
          ? []
          : [{ operationId, command: sample.source.replaceAll(body.servers[0].url, baseUrl) }]
      )
      assert.isAbove(samples.length, 30)
      const failed = yield* Effect.filter(
        samples,
        ({ command }) => Effect.map(statusOf(key, command), (status) => !["200", "201"].includes(status)),
        { concurrency: 4 }
      )
      assert.deepStrictEqual(failed, [])
    })
  )
})
