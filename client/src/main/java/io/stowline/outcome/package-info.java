/** What is known of a write: whether it was carried out, and how that is known. */
@NullMarked
package io.stowline.outcome;

import org.jspecify.annotations.NullMarked;
