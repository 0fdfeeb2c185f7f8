/**
 * Proofs of what a blob write with a lost response left behind. The rooms that write use it. It calls base.
 */
@NullMarked
package io.stowline.blob.internal.recovery;

import org.jspecify.annotations.NullMarked;
