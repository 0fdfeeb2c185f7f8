/** Configuration that many threads look up and another program changes: a table and a blob, read through the cache. */
@NullMarked
package io.stowline.examples.lookup;

import org.jspecify.annotations.NullMarked;
