package demo

// Wrap breaks a text into lines, as the story does.
var Wrap = wrap
