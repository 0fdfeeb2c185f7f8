/**
 * The streams of a journal: one file for each stream, of payloads one behind the other, and seals that say what is done with them.
 * {@code Spool} is the door for {@code stowline-records}, and knows nothing of what the payloads mean. It calls the folder of the journal
 * and the public types of the module only.
 */
@NullMarked
package io.stowline.journal.internal.spool;

import org.jspecify.annotations.NullMarked;
