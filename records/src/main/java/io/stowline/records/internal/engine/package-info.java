/**
 * The engine of a writer: it accepts records, seals chunks and delivers them in their order. The public writers call it. It calls
 * chunks, names and blobs.
 */
@NullMarked
package io.stowline.records.internal.engine;

import org.jspecify.annotations.NullMarked;
