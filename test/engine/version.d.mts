export function parseVersion(text: string): [number, number, number] | undefined;
export function isAtLeast(text: string, minimum: string): boolean;
