import { FileSystem, HttpApiBuilder, HttpServerError, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { Effect, Record } from "effect"
import { staticContent } from "../http/Compression.js"
import { consolePath, pathOf } from "../http/RequestParameters.js"
import { indexFile, readConsoleFiles } from "./ConsoleFiles.js"

/** The last segment of a file's path has an extension; that of a view has none. */
const isFile = (name: string) => /\.[a-z]+$/.test(name)

/**
 * Serves the console from the folder of its build. Paths of views respond with the page. The files are read at the first
 * request, so that they do not delay the start.
 */
export const consoleHttp = (folder: string) =>
  HttpApiBuilder.Router.use((router) =>
    Effect.gen(function* () {
      const fileSystem = yield* FileSystem.FileSystem
      const basePath = new URL(yield* PublicUrl).pathname.replace(/\/$/, "")
      const files = yield* readConsoleFiles(folder, basePath).pipe(
        Effect.provideService(FileSystem.FileSystem, fileSystem),
        Effect.map((contents) => Record.map(Object.fromEntries(contents), staticContent)),
        Effect.flatMap((responders) => Effect.all(responders, { concurrency: "unbounded" })),
        Effect.map((responders) => new Map(Object.entries(responders))),
        Effect.orDie,
        Effect.uninterruptible,
        Effect.cached
      )
      const respond = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const path = pathOf(request.url)
        if (path === "/console") return HttpServerResponse.redirect("console/")
        const name = path.slice(consolePath.length)
        const file = (yield* files).get(isFile(name) ? name : indexFile)
        return file === undefined ? yield* new HttpServerError.RouteNotFound({ request }) : file(request)
      })
      // The router ignores a slash at the end.
      yield* router.get("/console", respond)
      yield* router.get("/console/*", respond)
    })
  )
