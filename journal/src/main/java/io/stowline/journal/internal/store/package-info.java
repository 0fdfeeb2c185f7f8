/**
 * The records of a journal: what has been appended is on disk, what is done is forgotten, and the next opening of the folder finds the
 * rest, in order. {@code RecordJournal} is the door for {@code stowline-client}, and knows nothing of what the records mean; it
 * leads {@code stowline-records} to the spool, too. It calls the folder, the spool and the public types of the module.
 */
@NullMarked
package io.stowline.journal.internal.store;

import org.jspecify.annotations.NullMarked;
