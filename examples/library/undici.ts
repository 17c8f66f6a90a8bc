import { authHeaders } from "referral-auth/header";
import { Agent, type Dispatcher, interceptors, request } from "undici";

const credential = { method: "wsse", username: "me@example.com", secret: process.env.SECRET ?? "" } as const;
const authenticate: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch({ ...options, headers: { ...options.headers, ...authHeaders(credential) } }, handler);

// In this order, each retry has new fields.
const dispatcher = new Agent().compose(authenticate, interceptors.retry());
const { statusCode, body } = await request("https://api.example.com/v1/test-authentication", { dispatcher });
console.log(statusCode, await body.json());
