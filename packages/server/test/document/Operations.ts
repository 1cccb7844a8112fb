import { type IdPlace, idPlaces } from "./IdPlaces.js"
import {
  type DescribedOperation,
  type JsonSchema,
  type OpenApiDocument,
  type Parameter,
  resolve
} from "./OpenApiDocument.js"

/** An operation as the document describes it. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: ReadonlyArray<Parameter & { readonly examples: ReadonlyArray<unknown> }>
  readonly pathParameters: ReadonlyArray<string>
  /** Its path up to the last parameter, which selects the resource; empty without parameters. */
  readonly subject: string
  readonly places: ReadonlyArray<IdPlace>
  /** The accepted security schemes; empty for public operations. */
  readonly credentials: ReadonlyArray<string>
  readonly permission: string | null
  readonly body: { readonly required: boolean; readonly example: unknown; readonly schema: JsonSchema } | null
  /** The media type of a text body; null for other bodies. */
  readonly textType: string | null
  readonly responses: DescribedOperation["responses"]
  /** Whether its response is an event stream. */
  readonly isStream: boolean
}

/** All operations of the document with their places of ids. */
export const operationsOf = (document: OpenApiDocument): ReadonlyArray<Operation> =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const { operationId, parameters, requestBody, responses, security } = described
      // Bodies other than JSON come from OperationInputs.ts.
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
        body:
          content === undefined
            ? null
            : { required: requestBody?.required ?? false, ...content, example: content.example },
        textType: Object.keys(requestBody?.content ?? {}).find((type) => type.startsWith("text/")) ?? null,
        responses,
        isStream: Object.keys(responses[200]?.content ?? {}).includes("text/event-stream")
      }
    })
  )
