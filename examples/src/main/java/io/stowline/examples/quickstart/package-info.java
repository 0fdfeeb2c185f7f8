/** The quick start: the cities of the world become entities, are read back, and are proved to be the same. */
@NullMarked
package io.stowline.examples.quickstart;

import org.jspecify.annotations.NullMarked;
