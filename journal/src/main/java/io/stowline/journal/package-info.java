/**
 * Records that outlive the process until they are done: what has been appended is on disk, what is done is forgotten, and the next opening of
 * the folder finds the rest, in order. It knows nothing of what the records mean.
 */
@NullMarked
package io.stowline.journal;

import org.jspecify.annotations.NullMarked;
