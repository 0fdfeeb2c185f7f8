/**
 * What can go wrong, by meaning: a small sealed family under {@link io.stowline.error.StorageException}, each carrying the
 * {@link io.stowline.error.FailureDetails facts} of the operation that failed.
 */
@NullMarked
package io.stowline.error;

import org.jspecify.annotations.NullMarked;
