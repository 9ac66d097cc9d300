import { hydratePage } from "./browser/hydrate-page";

hydratePage();
