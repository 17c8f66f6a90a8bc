import axios from "axios";
import { authHeaders } from "referral-auth/header";

const credential = { method: "wsse", username: "me@example.com", secret: process.env.SECRET ?? "" } as const;
const api = axios.create({ baseURL: "https://api.example.com/v1", maxRedirects: 0 });
api.interceptors.request.use((config) => {
  config.headers.set(authHeaders(credential));
  return config;
});

const { status } = await api.get("/test-authentication");
console.log(status);
