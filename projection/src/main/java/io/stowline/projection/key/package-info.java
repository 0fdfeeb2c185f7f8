/**
 * Composite keys: parts of a key become text in an order that queries can use, and are read from it again. Applications and {@code
 * stowline-client} use it. It calls no other package but the property rules.
 */
@NullMarked
package io.stowline.projection.key;

import org.jspecify.annotations.NullMarked;
