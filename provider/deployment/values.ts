export * from "../values";
