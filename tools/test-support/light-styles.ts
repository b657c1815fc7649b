/**
 * jsdom goes through all rules of a page for each element whose style is asked for, and each query by role asks for those
 * of many. It is given those alone that hide something or keep it low; how things look is seen in Chromium.
 */
const HIDING = /display:\s*none|visibility:\s*hidden|max-height/;

const { insertRule } = CSSStyleSheet.prototype;

CSSStyleSheet.prototype.insertRule = function insertHiding(rule, index) {
  return HIDING.test(rule) ? insertRule.call(this, rule, index) : 0;
};
