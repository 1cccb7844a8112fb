import { OpenApi } from "@effect/platform"
import { Api } from "../Api.js"
import { operationRules } from "../OperationRules.js"
import { completeDocument } from "./CompleteDocument.js"

/** The machine-readable description of the interface, as it is served and kept in the repository. */
export const document = completeDocument(OpenApi.fromApi(Api), operationRules)
