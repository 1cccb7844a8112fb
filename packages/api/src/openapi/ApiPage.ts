import { createHash } from "node:crypto"
import { HttpApi, HttpLayerRouter, HttpServerRequest, HttpServerResponse, OpenApi } from "@effect/platform"
// Imported by itself, so that the bundle has it in a file that is loaded for the page alone: its script has 3 MB.
import * as HttpApiScalar from "@effect/platform/HttpApiScalar"
import { Effect } from "effect"

/** The settings of Scalar. What sends requests to other hosts is off. `basePath` is the path of the service on its host. */
const scalarSettings = (basePath: string) => ({
  authentication: { preferredSecurityScheme: "apiKey" },
  hideClientButton: true,
  // Relative, so that requests and samples use the host of the page.
  servers: [{ url: basePath }],
  showToolbar: "never",
  telemetry: false,
  withDefaultFonts: false
})

const path = "/docs"

/** The page as `HttpApiScalar` serves it, for an API with this document. */
const pageText = (document: OpenApi.OpenAPISpec, basePath: string) =>
  Effect.gen(function* () {
    const app = yield* HttpLayerRouter.toHttpEffect(
      HttpApiScalar.layerHttpLayerRouter({
        api: HttpApi.make("switchboard").annotate(OpenApi.Transform, () => document),
        path,
        scalar: scalarSettings(basePath)
      })
    )
    const response = yield* app
    return yield* Effect.promise(() => HttpServerResponse.toWeb(response).text())
  }).pipe(
    Effect.provideService(
      HttpServerRequest.HttpServerRequest,
      HttpServerRequest.fromWeb(new Request(`http://localhost${path}`))
    ),
    Effect.scoped
  )

const hashOf = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`

/**
 * The Content-Security-Policy of a page: its own scripts, and requests to its own origin. Scalar adds its styles at run
 * time and hashes examples in WebAssembly.
 */
const policyOf = (page: string) =>
  [
    "default-src 'none'",
    `script-src ${[...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = ""]) => hashOf(script)).join(" ")} 'wasm-unsafe-eval'`,
    "style-src 'unsafe-inline'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

/** The page that shows the OpenAPI document, with its policy. It needs no other resource. */
export const apiPage = (document: OpenApi.OpenAPISpec, basePath: string) =>
  Effect.map(pageText(document, basePath), (text) => ({
    text,
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": policyOf(text) }
  }))
