/** The common parts of the programs: their command lines, the storage they work with, and their exit codes. */
@NullMarked
package io.stowline.examples.shared;

import org.jspecify.annotations.NullMarked;
