import { describe, test } from "vitest";
import type { ApiResponse, Outcome, UnexpectedReason } from "../../src/check/outcome.ts";
import { outcomeOf } from "../support/outcomes.ts";
import { expectWords, type Words } from "./words.ts";

const answered = (response: Partial<ApiResponse>): ApiResponse => ({
  ...outcomeOf.accepted.response,
  code: null,
  message: null,
  ...response,
});

test.each<[Outcome, ...Words]>([
  [outcomeOf.accepted, "the API accepted this credential", ""],
  [outcomeOf.rejected, "the API refused this credential", "Compare the credential with "],
  [
    { ...outcomeOf.unavailable, response: answered({ status: 429 }) },
    "too many requests (429): the API did not check the credential",
    "Wait a little, then try again",
  ],
  [
    { ...outcomeOf.unavailable, response: answered({ status: 503 }) },
    "the server failed (503) and did not check the credential",
    "Try again later",
  ],
  [outcomeOf["not-checked"], "No token is set", "Give a token"],
  [outcomeOf.failed, "This is a bug", "Please report it"],
])("the outcome %j reads: %s", (outcome, ...words) => {
  expectWords(outcome, words);
});

describe("a response that is not this API's reads", () => {
  const checkBaseUrl = "Check the base URL: it may lead to";

  test.each<[UnexpectedReason, Partial<ApiResponse>, ...Words]>([
    [
      { kind: "malformed", problem: "Status 99" },
      {},
      "the response is not valid HTTP (Status 99)",
      checkBaseUrl,
    ],
    [{ kind: "too-large" }, {}, "the response is much larger than this API's", checkBaseUrl],
    [
      { kind: "encoded", encoding: "gzip" },
      {},
      "the response is compressed (gzip), although the request asked for no compression",
      "Ask the operator of the server or proxy",
    ],
    [
      { kind: "redirect" },
      { status: 301 },
      "the server redirects (301); the credential was not sent to the new address",
      "Set the base URL to the API's real address",
    ],
    [
      { kind: "web-page", title: null },
      { status: 403 },
      "a web page answered, not the API (403)",
      checkBaseUrl,
    ],
    [
      { kind: "foreign-challenge", scheme: "basic" },
      {},
      "a gateway or proxy in front of the API asks for its own credentials (basic)",
      "Ask the operator of the gateway or proxy for access",
    ],
    [
      { kind: "no-evidence", shown: "text" },
      { status: 403 },
      "403 with text: nothing shows that the API itself answered, so this proves nothing about the credential",
      "Check the base URL, and ask the operator of the gateway",
    ],
    [
      { kind: "contradiction", code: 401 },
      {},
      "the response contradicts itself: its status is 200, but its code is 401",
      "Check the credential: the code means a refusal",
    ],
    [
      { kind: "contradiction", code: 403 },
      {},
      "the response contradicts itself: its status is 200, but its code is 403",
      "Check the credential: the code means a refusal",
    ],
    [
      { kind: "contradiction", code: 404 },
      {},
      "the response contradicts itself: its status is 200, but its code is 404",
      "Ask the API's operator what this code means with status 200",
    ],
    [{ kind: "not-found" }, {}, "there is nothing at this address (404)", "Check the path of the base URL"],
    [
      { kind: "status" },
      { status: 418, contentType: "text/html" },
      "the API documents no response with this status (418)",
      checkBaseUrl,
    ],
    [
      { kind: "status" },
      { status: 418, contentType: "text/jsonp" },
      "the API documents no response with this status (418)",
      checkBaseUrl,
    ],
    [
      { kind: "status" },
      { status: 418, contentType: null },
      "the API documents no response with this status (418)",
      checkBaseUrl,
    ],
    [
      { kind: "status" },
      { status: 418, code: 418, contentType: null },
      "JSON with an undocumented status (418): it neither accepts nor refuses the credential",
      "Read the message of the response; ask the API's operator what 418 means here",
    ],
    [
      { kind: "status" },
      { status: 418, contentType: "application/json" },
      "JSON with an undocumented status (418): it neither accepts nor refuses the credential",
      "Read the message of the response; ask the API's operator what 418 means here",
    ],
    [
      { kind: "status" },
      { status: 418, contentType: "application/problem+json" },
      "JSON with an undocumented status (418): it neither accepts nor refuses the credential",
      "Read the message of the response; ask the API's operator what 418 means here",
    ],
    [{ kind: "empty" }, { status: 200 }, "the response is empty (200)", checkBaseUrl],
    [{ kind: "not-json" }, { contentType: "text/csv" }, "the response is not JSON (text/csv)", checkBaseUrl],
    [{ kind: "not-json" }, { contentType: null }, "the response is not JSON", checkBaseUrl],
    [
      { kind: "wrong-shape", problem: "its code is not 200" },
      {},
      "the response is not this API's: its code is not 200",
      checkBaseUrl,
    ],
  ])("%j, %j: %s", (reason, response, ...words) => {
    expectWords({ kind: "unexpected", reason, response: answered(response) }, words);
  });
});
