import type { FieldsBySchema } from "./CommonFields.js"

/** Fields of voice agents, workflows, calls and knowledge bases. */
export const voiceFields: FieldsBySchema = {
  VoiceAgent: {
    isActive: "Whether the agent can make calls.",
    language: "Language of the agent (BCP 47), at most 35 characters.",
    systemPrompt: "Instructions for a language model, at most 20000 characters.",
    transport: "Transport of the calls: `webrtc`, or `pstn` (telephone network).",
    voiceId: "Id of the voice for speech synthesis, at most 200 characters.",
    webhookConfig: "Webhook for the events of the agent's calls.",
    workflowId: "Id of the workflow that the agent is linked with."
  },
  CreateVoiceAgent: {
    description: "Free text, 1 to 1000 characters. Default: none.",
    isActive: "Whether the agent can make calls. Default: true.",
    language: "Language of the agent (BCP 47), 1 to 35 characters. Default: none.",
    systemPrompt: "Instructions for a language model, 1 to 20000 characters. Default: none.",
    transport: "Transport of the calls: `webrtc`, or `pstn` (telephone network). Default: `webrtc`.",
    voiceId: "Id of the voice for speech synthesis, 1 to 200 characters. Default: none.",
    webhookConfig: "Webhook for the events of the agent's calls. Default: none."
  },
  DuplicateVoiceAgent: { name: "Name of the copy, 1 to 200 characters. Default: the name with ` (copy)` appended." },
  VoiceWebhookConfig: {
    events: "Event types that are posted.",
    headers: "Additional request headers. Values are `…` without the permission `voice.write`.",
    secret: "Secret that signs the requests. Only in the response that created it. An extension.",
    url: "URL that receives the events."
  },
  GivenVoiceWebhook: {
    events: "Event types to post. Default: all.",
    headers: "Additional request headers, at most 20. Default: none.",
    url: "URL that receives the events: https, or http where the operator allows it."
  },
  VoiceWorkflow: {
    edges: "Edges of the draft graph, at most 1000.",
    isEnabled: "Whether calls follow the workflow. Otherwise the agent only greets.",
    nodes: "Nodes of the draft graph, at most 500.",
    publishedAt: "Time of the last publication (UTC).",
    publishedEdges: "Edges of the graph that calls follow.",
    publishedNodes: "Nodes of the graph that calls follow.",
    publishedViewport: "Viewport at the last publication.",
    version: "Number of publications. 0: never published.",
    viewport: "Viewport of the editor.",
    voiceAgentId: "Id of the agent that the workflow is linked with."
  },
  CreateVoiceWorkflow: {
    description: "Free text, 1 to 1000 characters. Default: none.",
    isEnabled: "Whether calls follow the workflow. Default: true.",
    viewport: "Viewport of the editor. Default: none."
  },
  WorkflowNode: {
    audioUrl: "URL of an audio file of the text, which is played instead of synthesized speech. Default: none.",
    body: "Request body: a string as it is, any other value as JSON.",
    channel: "Channel of the message. Only `email`.",
    config: "Configuration of the node. Unknown fields are stored.",
    data: "Label and configuration of the node.",
    dragging: "Whether the node is being dragged in the editor.",
    headers: "Request headers. Default: none.",
    id: "Id of the node, unique within the workflow.",
    items: "Items of the menu.",
    label: "Label shown in the editor.",
    method: "HTTP method of the request.",
    operator: "Comparison of the variable with `value`.",
    position: "Position in the editor.",
    prompt: "Text to speak, at most 5000 characters. `{{name}}` inserts the variable of that name.",
    sandboxReply: "Reply of the simulated person, in a call of the sandbox carrier.",
    seconds: "Duration of the pause in seconds, 0.1 to 3600.",
    selected: "Whether the node is selected in the editor.",
    subject: "Subject of the e-mail, 1 to 200 characters.",
    text: "Text to speak, or text of the e-mail. `{{name}}` inserts the variable of that name.",
    timeoutSeconds: "Time to listen in seconds, 1 to 120. Default: 5.",
    to: "E-mail address, or for a transfer a phone number or a SIP address.",
    type: "Type of the node.",
    url: "URL of the request.",
    value: "Value to compare with.",
    variable: "Name of the variable that is set or compared."
  },
  NodePosition: {
    x: "Horizontal position in the editor, in pixels.",
    y: "Vertical position in the editor, in pixels."
  },
  WorkflowViewport: {
    x: "Horizontal offset in pixels.",
    y: "Vertical offset in pixels.",
    zoom: "Zoom factor. 1: actual size."
  },
  MenuItem: {
    id: "Id of the item, unique within the menu.",
    keywords: "Words that select the item, besides its label.",
    label: "Text that selects the item."
  },
  WorkflowEdge: {
    animated: "Whether the editor animates the edge.",
    id: "Id of the edge, unique within the workflow.",
    label: "Label shown in the editor.",
    source: "Id of the node at the start.",
    sourceHandle:
      "Outcome that selects the edge: the id of a menu item, or `true` or `false` for a condition. Absent: any other outcome.",
    target: "Id of the node at the end.",
    targetHandle: "Handle at the end, used by the editor.",
    type: "Type of the edge, used by the editor."
  },
  VoiceCall: {
    answeredAt: "Time when the call was answered (UTC).",
    callControlId: "Id of the call at the carrier.",
    durationSeconds: "Duration in seconds, from the answer to the end.",
    endedAt: "Time when the call ended (UTC).",
    from: "Number of the caller (E.164).",
    initiatedAt: "Time when the carrier took the call (UTC).",
    metadata: "Details of the call.",
    conversationId: "Id of the conversation with the person.",
    phoneNumberId: "Id of the organization's number, if it has the channel `voice`.",
    recordingUrl: "Download link of the recording (WAV), valid for 15 minutes.",
    sessionId: "Id of the session at the carrier, once the call is answered.",
    summary: "Summary in a few sentences, once the call is over.",
    to: "Number that is called (E.164).",
    transcriptUrl: "Download link of the transcript (text), valid for 15 minutes.",
    transport: "Transport of the call."
  },
  VoiceCallMetadata: {
    audio: "Id of the audio track.",
    bargeInCount: "Number of times that the person interrupted the agent.",
    customFields: "Further details, for example `carrier` and `speed`.",
    errorCode: "Code of the error that ended the call.",
    errorMessage: "Text of the error that ended the call.",
    menuFinalSelection: "Last match of a menu item.",
    menuMatches: "Matches of menu items, oldest first.",
    sttLanguage: "Language of the speech recognition.",
    trackIds: "Ids of the media tracks.",
    ttsVoice: "Voice of the speech synthesis.",
    video: "Id of the video track."
  },
  MenuMatch: {
    confidence: "Confidence of the match, 0 to 1.",
    matchedText: "Words of the person.",
    menuItemId: "Id of the item.",
    menuItemLabel: "Label of the item."
  },
  SimulateVoiceCall: {
    from: "Number of the simulated caller (E.164).",
    sandbox: "Simulated caller. An extension.",
    to: "Number of the organization with the channel `voice` (E.164)."
  },
  PlaceVoiceCall: {
    from: "Number of the caller (E.164). Default: the organization's first number with the channel `voice`, if any.",
    sandbox: "Simulated person of the sandbox carrier. It has no effect with another carrier. An extension.",
    to: "Number to call (E.164).",
    voiceAgentId: "Id of an active voice agent."
  },
  CallTranscript: {
    callId: "Id of the call.",
    hasTranscript: "Whether there is a transcript.",
    transcriptUrl: "Download link of the text, valid for 15 minutes."
  },
  KnowledgeBase: { documentCount: "Number of documents with the status `ready`." },
  KnowledgeDocument: {
    contentLength: "Size in bytes.",
    knowledgeBaseId: "Id of the knowledge base.",
    status:
      "`pending_upload`: not uploaded yet. `ready`: uploaded. `failed`: not uploaded in time, or not as requested.",
    storageKey: "Key of the file in the object store."
  },
  RequestUpload: {
    contentLength: "Size in bytes, 1 to 52428800 (50 MiB).",
    contentType: "Media type of the file, at most 255 characters.",
    filename: "Name of the file, without folders, 1 to 255 characters."
  }
}
