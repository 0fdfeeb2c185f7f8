/** The table command: exports, imports, copies, compares and empties tables. */
@NullMarked
package io.stowline.examples.tables;

import org.jspecify.annotations.NullMarked;
