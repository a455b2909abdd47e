import { expect, it } from "vitest";
import { ratioOf, spreadOf } from "../../tools/bench/statistics";

it("the median is the middle one, and of an even number the mean of the middle two", () => {
  expect(spreadOf([5, 1, 3])).toEqual({ median: 3, min: 1, max: 5 });
  expect(spreadOf([10, 2, 4, 1])).toEqual({ median: 3, min: 1, max: 10 });
  expect(spreadOf([7])).toEqual({ median: 7, min: 7, max: 7 });
});

it("measuring does not reorder what was measured", () => {
  const values = [3, 1, 2];
  spreadOf(values);
  expect(values).toEqual([3, 1, 2]);
});

it("nothing measured has neither a spread nor a ratio", () => {
  expect(spreadOf([])).toBeUndefined();
  expect(ratioOf(undefined, spreadOf([1]))).toBeUndefined();
  expect(ratioOf(spreadOf([1]), undefined)).toBeUndefined();
  expect(ratioOf(spreadOf([1]), spreadOf([0]))).toBeUndefined();
});

it("a ratio is that of the medians", () => {
  expect(ratioOf(spreadOf([2, 3, 100]), spreadOf([1, 2, 2]))).toBe(1.5);
});
