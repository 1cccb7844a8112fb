import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { variablesOf } from "@switchboard/server/settings/Setting"
import { settingDocs } from "@switchboard/server/settings/Settings"
import { Effect, Option, Schema } from "effect"
import { temporaryFolder } from "../LiveService.js"
import { fakeCluster } from "./FakeCluster.js"
import { assertConsistent, documentOf, Manifest } from "./Manifest.js"
import { skipWithoutTool, toolFile } from "./Tools.js"

const chart = repositoryFile("packages/server/deploy/helm/switchboard")

const architecture = process.arch === "x64" ? "amd64" : process.arch

/** A program that contains Helm 3 as a library: the registries of npm and Debian have no other. */
const program = toolFile(
  `kubernetes-mcp-server-${process.platform}-${architecture}/bin/kubernetes-mcp-server-${process.platform}-${architecture}`
)

const reason = skipWithoutTool(program, "Helm")

const Text = Schema.Struct({ content: Schema.Tuple(Schema.Struct({ text: Schema.String })) })

/** Installs the chart with Helm into an API server; returns the output of Helm and the created objects. */
const install = (values: Record<string, unknown>) =>
  Effect.gen(function* () {
    const { created, url } = yield* fakeCluster
    const kubeconfig = join(yield* temporaryFolder, "kubeconfig")
    const clusters = [{ name: "cluster", cluster: { server: url } }]
    const contexts = [{ name: "cluster", context: { cluster: "cluster", user: "user" } }]
    const users = [{ name: "user", user: {} }]
    writeFileSync(
      kubeconfig,
      JSON.stringify({ apiVersion: "v1", kind: "Config", clusters, contexts, users, "current-context": "cluster" })
    )
    const client = yield* Effect.acquireRelease(
      Effect.sync(() => new Client({ name: "test", version: "1" })),
      (open) => Effect.promise(() => open.close())
    )
    const result = yield* Effect.promise(async () => {
      const args = ["--kubeconfig", kubeconfig, "--toolsets", "helm"]
      await client.connect(new StdioClientTransport({ command: program, args, stderr: "ignore" }))
      return client.callTool({ name: "helm_install", arguments: { chart, name: "mail", namespace: "default", values } })
    })
    const { content } = yield* Schema.decodeUnknown(Text)(result)
    return { output: content[0].text, created: created() }
  })

const Validator = Schema.Struct({
  validate: Schema.declare(
    (value): value is { (object: unknown): boolean; errors?: unknown } => value instanceof Function
  )
})

/** The modules that validate a group of kinds by their OpenAPI schemas, without the kind. */
const schemas = new Map([
  ["v1", "kubernetes-models/_schemas/IoK8sApiCoreV1"],
  ["apps/v1", "kubernetes-models/_schemas/IoK8sApiAppsV1"],
  ["networking.k8s.io/v1", "kubernetes-models/_schemas/IoK8sApiNetworkingV1"],
  ["policy/v1", "kubernetes-models/_schemas/IoK8sApiPolicyV1"],
  [
    "monitoring.coreos.com/v1",
    "@kubernetes-models/prometheus-operator/_schemas/ComGithubPrometheusOperatorPrometheusOperatorPkgApisMonitoringV1"
  ]
])

/** The errors of an object by the OpenAPI schema of its kind. */
const schemaErrors = (object: typeof Manifest.Type, complete: unknown) =>
  Effect.gen(function* () {
    const file = toolFile(`${schemas.get(object.apiVersion)}${object.kind}.js`)
    const { validate } = yield* Schema.decodeUnknown(Validator)(
      yield* Effect.promise(() => import(pathToFileURL(file).href))
    )
    return validate(complete) ? [] : validate.errors
  })

const decodeConfig = Schema.decodeUnknownOption(
  Schema.Struct({
    kind: Schema.Literal("ConfigMap"),
    data: Schema.Record({ key: Schema.String, value: Schema.String })
  })
)

const required = {
  publicUrl: "https://mail-api.example.com",
  image: { repository: "registry.example.com/switchboard" }
}

const everything = {
  ...required,
  mail: { enabled: true },
  submission: { tlsSecret: "mail-tls" },
  serviceMonitor: { enabled: true, labels: { release: "prometheus" } },
  settings: {
    MAIL_HOSTNAME: "mail.example.com",
    DOMAIN_PAUSE_MIN_MESSAGES: 1_000_000,
    DOMAIN_PAUSE_COMPLAINT_RATE: 0.25,
    ACCESS_LOG: true,
    S3_BUCKET: "switchboard"
  },
  ingress: { className: "nginx", annotations: { "example.com/a": "b" } },
  imagePullSecrets: [{ name: "registry" }],
  nodeSelector: { "kubernetes.io/arch": "arm64" },
  tolerations: [{ key: "arm", operator: "Exists" }]
}

describe("The Helm chart", () => {
  it("has the version of the packages", () => {
    const { version } = Schema.decodeSync(Schema.parseJson(Schema.Struct({ version: Schema.String })))(
      readFileSync(repositoryFile("package.json"), "utf8")
    )
    assert.deepStrictEqual(
      documentOf(
        "packages/server/deploy/helm/switchboard/Chart.yaml",
        Schema.Struct({ version: Schema.String, appVersion: Schema.String })
      ),
      { version, appVersion: version }
    )
  })

  for (const [title, values, count] of [
    ["with the values that are required", { ...required, settings: {} }, 7],
    ["with all values", everything, 10]
  ] as const) {
    it.scopedLive.skipIf(reason !== "")(`is installed by Helm ${title}, and its objects fit together${reason}`, () =>
      Effect.gen(function* () {
        const { created, output } = yield* install(values)
        assert.include(output, "deployed", output)
        assert.lengthOf(created, count)
        const objects = created.map((object) => Schema.decodeUnknownSync(Manifest)(object))
        for (const [at, object] of objects.entries()) {
          assert.deepStrictEqual(yield* schemaErrors(object, created[at]), [], object.kind)
        }
        assertConsistent(objects, settingDocs.flatMap(variablesOf))
        const config = created.flatMap((object) => Option.toArray(decodeConfig(object)))
        for (const [name, value] of Object.entries(values.settings ?? {})) {
          assert.strictEqual(config[0]?.data[name], String(value), name)
        }
      })
    )
  }

  it.scopedLive.skipIf(reason !== "")(`names a value that is missing or unknown${reason}`, () =>
    Effect.gen(function* () {
      assert.include((yield* install({ image: required.image })).output, "publicUrl")
      assert.include((yield* install({ ...required, replicas: 3 })).output, "replicas")
    })
  )
})
