/**
 * A journal as applications see it: a folder of records that outlive the process until they are done, its settings and its
 * errors. An application opens a journal and hands it to a writer of {@code stowline-client}. The records themselves are the
 * business of {@code internal.store}.
 */
@NullMarked
package io.stowline.journal;

import org.jspecify.annotations.NullMarked;
