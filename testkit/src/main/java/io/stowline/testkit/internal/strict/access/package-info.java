/**
 * The checks of what a caller may do: signatures, shared access, access policies, CORS and methods. The stage and the checks of batches
 * call them.
 */
@NullMarked
package io.stowline.testkit.internal.strict.access;

import org.jspecify.annotations.NullMarked;
