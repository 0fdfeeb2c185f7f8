/** Many operations, few requests: lanes, limits, flush and close. */
@NullMarked
package io.stowline.batching;

import org.jspecify.annotations.NullMarked;
