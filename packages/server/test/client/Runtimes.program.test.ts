import { execFile } from "node:child_process"
import { copyFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, layer } from "@effect/vitest"
import { receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { InstalledClient } from "@switchboard/client/testing/package/InstalledClient"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { Context, Effect, Layer } from "effect"
import { build } from "esbuild"
import { noBrowser, openPage } from "../document/Browser.js"
import { adminKey, LiveService } from "../LiveService.js"
import { notInstalled, runtimes } from "./runtimes/Runtimes.js"

const expected = { found: "Hello", isListed: true, error: "ResourceNotFoundError", event: "message.created" }

/** An empty web page of its own origin. */
class WebPage extends Context.Tag("test/WebPage")<WebPage, { readonly origin: string }>() {
  static readonly Live = Layer.scoped(
    WebPage,
    Effect.map(
      receiver((response) => response.setHeader("content-type", "text/html").end("<!doctype html><title>Page</title>")),
      ({ url }) => ({ origin: url })
    )
  )
}

/** The service, with the web page as an allowed origin. */
const Service = Layer.unwrapEffect(
  Effect.map(WebPage, ({ origin }) => LiveService.layer({ CORS_ORIGINS: origin }))
).pipe(Layer.provideMerge(WebPage.Live), Layer.merge(InstalledClient.Live))

const story = Effect.map(InstalledClient, ({ folder }) => {
  for (const file of ["Story.js", "main.js"]) {
    copyFileSync(repositoryFile(`packages/server/test/client/runtimes/${file}`), join(folder, file))
  }
  return folder
})

layer(Service, { excludeTestServices: true })("The package of the client", (it) => {
  for (const runtime of runtimes) {
    const reason = notInstalled(runtime)
    it.effect.skipIf(reason !== "")(`works in ${runtime.name}${reason}`, () =>
      Effect.gen(function* () {
        const folder = yield* story
        const { baseUrl } = yield* LiveService
        const { stdout } = yield* Effect.promise(() =>
          promisify(execFile)(runtime.program, [...runtime.args, "main.js", baseUrl, adminKey], { cwd: folder })
        )
        assert.deepStrictEqual(JSON.parse(stdout), expected)
      })
    )
  }

  it.scoped.skipIf(noBrowser !== "")(`works in a browser${noBrowser}`, () =>
    Effect.gen(function* () {
      const folder = yield* story
      const { baseUrl } = yield* LiveService
      const { origin } = yield* WebPage
      const outfile = join(folder, "browser.js")
      yield* Effect.promise(() =>
        build({ entryPoints: [join(folder, "Story.js")], outfile, bundle: true, format: "iife", globalName: "page" })
      )
      const { page, problems } = yield* openPage
      const result = yield* Effect.promise(async () => {
        await page.goto(origin)
        await page.addScriptTag({ content: readFileSync(outfile, "utf8") })
        return page.evaluate(`page.story(${JSON.stringify(baseUrl)}, ${JSON.stringify(adminKey)})`)
      })
      assert.deepStrictEqual(result, expected)
      // The browser reports the 404 of the story.
      assert.deepStrictEqual(
        problems.filter((problem) => !problem.includes("404")),
        []
      )
    })
  )
})
