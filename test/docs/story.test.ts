import { ofRecipes, stories } from "./documents";
import { holdStories } from "./played";

holdStories(stories.filter((story) => story.example === undefined && !ofRecipes(story)));
