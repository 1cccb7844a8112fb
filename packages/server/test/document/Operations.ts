import { type IdPlace, idPlaces } from "./IdPlaces.js"
import { type DescribedOperation, type OpenApiDocument, type Parameter, resolve } from "./OpenApiDocument.js"

/** An operation as the document describes it. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: ReadonlyArray<Parameter & { readonly examples: ReadonlyArray<unknown> }>
  readonly pathParameters: ReadonlyArray<string>
  /** Its path as far as its last parameter: what it is about, empty where it is about nothing in particular. */
  readonly subject: string
  readonly places: ReadonlyArray<IdPlace>
  /** What shows who a caller is, one of them; nothing where anyone may ask. */
  readonly credentials: ReadonlyArray<string>
  readonly permission: string | null
  readonly body: { readonly required: boolean; readonly example: unknown } | null
  /** The media type of a body that is text, null for any other. */
  readonly textType: string | null
  readonly responses: DescribedOperation["responses"]
  /** Whether its answer does not end by itself. */
  readonly isStream: boolean
}

/** Every operation of the document, with every place of it where an id can stand. */
export const operationsOf = (document: OpenApiDocument): ReadonlyArray<Operation> =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const { operationId, parameters, requestBody, responses, security } = described
      // Of what is no JSON, the walk knows only what Fixtures.ts says.
      const content = requestBody?.content["application/json"]
      return {
        id: operationId,
        method: method.toUpperCase(),
        path,
        parameters: parameters.map((parameter) => ({
          ...parameter,
          examples: resolve(document, parameter.schema).examples ?? []
        })),
        pathParameters: parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name),
        subject: /^.*\}/.exec(path)?.[0] ?? "",
        places: idPlaces(document, described),
        credentials: security.flatMap(Object.keys),
        permission: described["x-permission"] ?? null,
        body: content === undefined ? null : { required: requestBody?.required ?? false, example: content.example },
        textType: Object.keys(requestBody?.content ?? {}).find((type) => type.startsWith("text/")) ?? null,
        responses,
        isStream: Object.keys(responses[200]?.content ?? {}).includes("text/event-stream")
      }
    })
  )
