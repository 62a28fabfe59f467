/*
 * Nothing in the product may add to what every object has: an attempt throws, in the test that makes it. What
 * is there stays writable, because libraries give their own objects a toString.
 */
Object.preventExtensions(Object.prototype);
Object.preventExtensions(Array.prototype);
