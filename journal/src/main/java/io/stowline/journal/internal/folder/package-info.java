/**
 * The folder of a journal: private to its owner, with files that are the ones that were opened, and a bound for the bytes in it. The
 * record store and the spool call it. It calls the public types of the module only.
 */
@NullMarked
package io.stowline.journal.internal.folder;

import org.jspecify.annotations.NullMarked;
