import { readFileSync } from "node:fs"
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
    metadata: Schema.Struct({ name: Schema.String }),
    ...fields
  })

const Backend = Schema.Struct({
  service: Schema.Struct({ name: Schema.String, port: Schema.Struct({ name: Schema.String }) })
})

/** The parts of the manifests' kinds that refer to each other or to the program. Not the complete schema. */
const Manifest = Schema.Union(
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
