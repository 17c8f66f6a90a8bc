// client.d.cts: the types of client.cjs
export function hello(url: string, username: string, secret: string, tries?: number): Promise<string>;
