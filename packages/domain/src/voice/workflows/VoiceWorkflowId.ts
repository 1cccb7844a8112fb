import { Schema } from "effect"
import { Uuid } from "../../Uuid.js"

export const VoiceWorkflowId = Uuid.pipe(Schema.brand("VoiceWorkflowId"))
export type VoiceWorkflowId = typeof VoiceWorkflowId.Type
