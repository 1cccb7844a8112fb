import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Effect, Schema } from "effect"

/** The kinds that the chart uses: the group and version of their API, and the name in paths. */
const kinds = {
  ConfigMap: ["api/v1", "configmaps"],
  Deployment: ["apis/apps/v1", "deployments"],
  Ingress: ["apis/networking.k8s.io/v1", "ingresses"],
  PodDisruptionBudget: ["apis/policy/v1", "poddisruptionbudgets"],
  Secret: ["api/v1", "secrets"],
  Service: ["api/v1", "services"],
  ServiceMonitor: ["apis/monitoring.coreos.com/v1", "servicemonitors"]
} as const

const apis = [...new Set(Object.values(kinds).map(([api]) => api))]

const groups = apis
  .filter((api) => api.startsWith("apis/"))
  .map((api) => {
    const groupVersion = api.slice("apis/".length)
    const versions = [{ groupVersion, version: "v1" }]
    return { name: groupVersion.slice(0, groupVersion.indexOf("/")), versions, preferredVersion: versions[0] }
  })

const kindsOf = (api: string) => Object.entries(kinds).filter(([, [own]]) => own === api)

/** The declaration of an API that names its kinds and says that the server validates fields. */
const openApiOf = (api: string) => ({
  openapi: "3.0.0",
  info: { title: "Kubernetes", version: "1.33" },
  paths: Object.fromEntries(
    kindsOf(api).map(([kind, [, name]]) => [
      `/${api}/namespaces/{namespace}/${name}/{name}`,
      {
        patch: {
          parameters: [{ name: "fieldValidation", in: "query", schema: { type: "string" } }],
          "x-kubernetes-group-version-kind": {
            group: api.split("/").slice(1, -1).join("/"),
            version: "v1",
            kind
          },
          responses: {}
        }
      }
    ])
  )
})

const verbs = ["create", "delete", "get", "list", "patch", "update"]

/** What a client reads to discover the kinds. */
const discovery = new Map<string, unknown>([
  ["/version", { major: "1", minor: "33", gitVersion: "v1.33.0" }],
  ["/api", { kind: "APIVersions", versions: ["v1"] }],
  ["/apis", { kind: "APIGroupList", apiVersion: "v1", groups }],
  ["/openapi/v3", { paths: Object.fromEntries(apis.map((api) => [api, { serverRelativeURL: `/openapi/v3/${api}` }])) }],
  ...apis.flatMap(
    (api): ReadonlyArray<readonly [string, unknown]> => [
      [`/openapi/v3/${api}`, openApiOf(api)],
      [
        `/${api}`,
        {
          kind: "APIResourceList",
          apiVersion: "v1",
          groupVersion: api.replace(/^apis?\//, ""),
          resources: kindsOf(api).map(([kind, [, name]]) => ({ name, kind, singularName: "", namespaced: true, verbs }))
        }
      ]
    ]
  )
])

const Created = Schema.parseJson(
  Schema.Struct(
    {
      kind: Schema.String,
      metadata: Schema.Struct({ name: Schema.String }, { key: Schema.String, value: Schema.Unknown }),
      spec: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
    },
    { key: Schema.String, value: Schema.Unknown }
  )
)

/** What a client waits for: pods, unless the deployment is paused, and the addresses of services. */
const readySpecs = new Map<string, Readonly<Record<string, unknown>>>([
  ["Deployment", { paused: true }],
  ["Service", { clusterIP: "192.0.2.1" }]
])

/** An object as it is when it is ready. */
const ready = (object: typeof Created.Type) => ({
  ...object,
  spec: { ...readySpecs.get(object.kind), ...object.spec },
  status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } }
})

/** The part of the API of Kubernetes that Helm uses to install a chart. It stores objects and runs nothing. */
export const fakeCluster = Effect.gen(function* () {
  const objects = new Map<string, typeof Created.Type>()
  const respond = ({ headers, method, url = "" }: IncomingMessage, body: Buffer, response: ServerResponse) => {
    const { pathname } = new URL(url, "http://cluster")
    const json = (status: number, value: unknown) =>
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value))
    if (method === "POST" || method === "PUT") {
      // The Secret of the release is in the format of Protocol Buffers.
      if (headers["content-type"] === "application/json") {
        const object = Schema.decodeSync(Created)(body.toString())
        objects.set(`${pathname}/${object.metadata.name}`, object)
      }
      return response.writeHead(201, { "Content-Type": headers["content-type"] }).end(body)
    }
    const object = objects.get(pathname)
    if (object !== undefined) return json(200, ready(object))
    if (pathname.endsWith("/secrets")) {
      return json(200, { kind: "SecretList", apiVersion: "v1", metadata: {}, items: [] })
    }
    const known = discovery.get(pathname)
    if (known !== undefined) return json(200, known)
    return json(404, {
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      reason: "NotFound",
      message: url,
      code: 404
    })
  }
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => respond(request, Buffer.concat(chunks), response))
  })
  yield* Effect.acquireRelease(
    Effect.async<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () => Effect.sync(() => server.close())
  )
  const address = server.address()
  return {
    url: `http://127.0.0.1:${address instanceof Object ? address.port : 0}`,
    /** The objects that were created, in the order of creation. */
    created: () => [...objects.values()]
  }
})
