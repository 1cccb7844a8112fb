import { readdirSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { variablesOf } from "@switchboard/server/settings/Setting"
import { settingDocs } from "@switchboard/server/settings/Settings"
import { manifests, resources } from "./Manifest.js"

const variables = settingDocs.flatMap(variablesOf)

const deployments = manifests.filter((manifest) => manifest.kind === "Deployment")

/** The pods with the labels of a selector. */
const podsOf = (selector: Readonly<Record<string, string>>) =>
  deployments
    .map(({ spec }) => spec.template)
    .filter(({ metadata: { labels } }) => Object.entries(selector).every(([name, value]) => labels[name] === value))

describe("The Kubernetes manifests", () => {
  it("are all listed in the kustomization", () => {
    const files = readdirSync(repositoryFile("packages/server/deploy/kubernetes"))
    assert.sameMembers(["kustomization.yaml", ...resources], files)
  })

  it("set settings that exist", () => {
    for (const manifest of manifests) {
      if (manifest.kind === "ConfigMap") assert.includeMembers(variables, Object.keys(manifest.data))
    }
    for (const { spec } of deployments) {
      const [container] = spec.template.spec.containers
      assert.includeMembers(
        variables,
        container.env.map(({ name }) => name)
      )
    }
  })

  it("run api and worker, each selected by its own labels and probed on its own ports", () => {
    assert.sameDeepMembers(
      deployments.map(({ spec }) => spec.template.spec.containers[0].args),
      [["api"], ["worker"]]
    )
    for (const { spec } of deployments) {
      assert.deepStrictEqual(podsOf(spec.selector.matchLabels), [spec.template])
      const [container] = spec.template.spec.containers
      const names = container.ports.map(({ name }) => name)
      for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
        assert.include(names, probe.httpGet.port)
      }
    }
  })

  it("lead from the ingress and the services to ports of pods", () => {
    const services = manifests.filter((manifest) => manifest.kind === "Service")
    for (const { spec } of services) {
      const names = podsOf(spec.selector).flatMap(({ spec: { containers } }) =>
        containers[0].ports.map(({ name }) => name)
      )
      assert.includeMembers(
        names,
        spec.ports.map(({ targetPort }) => targetPort)
      )
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
    }
  })
})
