import { readFileSync } from "node:fs"
import { assert } from "@effect/vitest"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { Schema } from "effect"
import { parseAllDocuments } from "yaml"

const Names = Schema.Record({ key: Schema.String, value: Schema.String })

const Port = Schema.Struct({ name: Schema.String, containerPort: Schema.Number })

const Probe = Schema.Struct({
  httpGet: Schema.Struct({ path: Schema.Literal("/healthz", "/readyz"), port: Schema.String })
})

const Container = Schema.Struct({
  args: Schema.Array(Schema.String),
  envFrom: Schema.Tuple(Schema.Struct({ configMapRef: Schema.Struct({ name: Schema.String }) })),
  env: Schema.Array(Schema.Struct({ name: Schema.String })),
  ports: Schema.Array(Port),
  startupProbe: Probe,
  livenessProbe: Probe,
  readinessProbe: Probe,
  securityContext: Schema.Struct({
    allowPrivilegeEscalation: Schema.Literal(false),
    readOnlyRootFilesystem: Schema.Literal(true)
  })
})

const Template = Schema.Struct({
  metadata: Schema.Struct({ labels: Names }),
  spec: Schema.Struct({
    securityContext: Schema.Struct({ runAsNonRoot: Schema.Literal(true) }),
    containers: Schema.Tuple(Container)
  })
})

const named = <Kind extends string, Fields extends Schema.Struct.Fields>(kind: Kind, fields: Fields) =>
  Schema.Struct({
    apiVersion: Schema.String,
    kind: Schema.Literal(kind),
    metadata: Schema.Struct({ name: Schema.String, labels: Schema.optionalWith(Names, { default: () => ({}) }) }),
    ...fields
  })

const Backend = Schema.Struct({
  service: Schema.Struct({ name: Schema.String, port: Schema.Struct({ name: Schema.String }) })
})

/** The parts of the manifests' kinds that refer to each other or to the program. Not the complete schema. */
export const Manifest = Schema.Union(
  named("ConfigMap", { data: Names }),
  named("Deployment", {
    spec: Schema.Struct({ selector: Schema.Struct({ matchLabels: Names }), template: Template })
  }),
  named("PodDisruptionBudget", { spec: Schema.Struct({ selector: Schema.Struct({ matchLabels: Names }) }) }),
  named("Service", {
    spec: Schema.Struct({
      selector: Names,
      ports: Schema.Array(Schema.Struct({ name: Schema.String, targetPort: Schema.String }))
    })
  }),
  named("ServiceMonitor", {
    spec: Schema.Struct({
      selector: Schema.Struct({ matchLabels: Names }),
      endpoints: Schema.Array(Schema.Struct({ port: Schema.String }))
    })
  }),
  named("Ingress", {
    spec: Schema.Struct({
      rules: Schema.Array(
        Schema.Struct({ http: Schema.Struct({ paths: Schema.Array(Schema.Struct({ backend: Backend })) }) })
      )
    })
  })
)

const folder = "packages/server/deploy/kubernetes"

const documentsOf = (file: string): ReadonlyArray<unknown> =>
  parseAllDocuments(readFileSync(repositoryFile(file), "utf8"), { merge: true }).map((document) => {
    if (document.errors.length > 0) throw new Error(`${file}: ${document.errors.join("\n")}`)
    return document.toJS()
  })

/** The one document of a YAML file. */
export const documentOf = <A, I>(file: string, schema: Schema.Schema<A, I>): A =>
  Schema.decodeUnknownSync(Schema.Tuple(schema))(documentsOf(file))[0]

/** The files that the kustomization lists. */
export const { resources } = documentOf(
  `${folder}/kustomization.yaml`,
  Schema.Struct({ resources: Schema.Array(Schema.String) })
)

/** Every manifest of the kustomization. */
export const manifests = resources.flatMap((file) =>
  documentsOf(`${folder}/${file}`).map((document) => Schema.decodeUnknownSync(Manifest)(document))
)

type Manifests = ReadonlyArray<typeof Manifest.Type>

const hasLabels = (labels: typeof Names.Type, selector: typeof Names.Type) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value)

/** Asserts that manifests set settings that exist, and refer to ports and labels of each other. */
export const assertConsistent = (manifests: Manifests, variables: ReadonlyArray<string>) => {
  const deployments = manifests.filter((manifest) => manifest.kind === "Deployment")
  const services = manifests.filter((manifest) => manifest.kind === "Service")
  const configs = manifests.filter((manifest) => manifest.kind === "ConfigMap")
  const podsOf = (selector: typeof Names.Type) =>
    deployments.map(({ spec }) => spec.template).filter(({ metadata }) => hasLabels(metadata.labels, selector))
  const portsOf = (pod: typeof Template.Type) => pod.spec.containers[0].ports.map(({ name }) => name)

  assert.sameDeepMembers(
    deployments.map(({ spec }) => spec.template.spec.containers[0].args),
    [["api"], ["worker"]]
  )
  for (const { data } of configs) assert.includeMembers([...variables], Object.keys(data))
  for (const { spec } of deployments) {
    assert.deepStrictEqual(podsOf(spec.selector.matchLabels), [spec.template])
    const [container] = spec.template.spec.containers
    assert.includeMembers(
      [...variables],
      container.env.map(({ name }) => name)
    )
    assert.include(
      configs.map(({ metadata }) => metadata.name),
      container.envFrom[0].configMapRef.name
    )
    for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
      assert.include(portsOf(spec.template), probe.httpGet.port)
    }
  }
  for (const { spec } of services) {
    const pods = podsOf(spec.selector)
    assert.isNotEmpty(pods)
    for (const pod of pods) {
      assert.includeMembers(
        portsOf(pod),
        spec.ports.map(({ targetPort }) => targetPort)
      )
    }
  }
  const backends = manifests.flatMap((manifest) =>
    manifest.kind === "Ingress" ? manifest.spec.rules.flatMap(({ http }) => http.paths) : []
  )
  assert.isNotEmpty(backends)
  for (const { backend } of backends) {
    const target = services.find(({ metadata }) => metadata.name === backend.service.name)
    assert.include(target?.spec.ports.map(({ name }) => name) ?? [], backend.service.port.name)
  }
  for (const manifest of manifests) {
    if (manifest.kind === "PodDisruptionBudget") assert.lengthOf(podsOf(manifest.spec.selector.matchLabels), 1)
    if (manifest.kind === "ServiceMonitor") {
      const [target, ...others] = services.filter(({ metadata }) =>
        hasLabels(metadata.labels, manifest.spec.selector.matchLabels)
      )
      assert.isEmpty(others)
      assert.includeMembers(
        target?.spec.ports.map(({ name }) => name) ?? [],
        manifest.spec.endpoints.map(({ port }) => port)
      )
    }
  }
}
