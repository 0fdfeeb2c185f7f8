/** The bulk load: rows of a file become entities, each once, also when the process is killed on the way. */
@NullMarked
package io.stowline.examples.bulkload;

import org.jspecify.annotations.NullMarked;
