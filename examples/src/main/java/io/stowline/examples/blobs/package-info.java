/** The blob command: copies, synchronizes and deletes directories of blobs. */
@NullMarked
package io.stowline.examples.blobs;

import org.jspecify.annotations.NullMarked;
