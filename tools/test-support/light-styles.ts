/**
 * jsdom evaluates all style rules of a page for each element whose style is requested, and each query by role requests
 * many. Therefore only rules that hide something or limit its height are kept; the appearance is tested in Chromium.
 */
const HIDING = /display:\s*none|visibility:\s*hidden|max-height/;

const { insertRule } = CSSStyleSheet.prototype;

CSSStyleSheet.prototype.insertRule = function insertHiding(rule, index) {
  return HIDING.test(rule) ? insertRule.call(this, rule, index) : 0;
};
