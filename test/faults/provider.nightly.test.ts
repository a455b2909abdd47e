import { lawOf } from "./laws";

lawOf("provider");
