/** The quick start: a load into a table with its proof, by way of a bad network if wanted, and its figures through a queue and a blob. */
@NullMarked
package io.stowline.examples.quickstart;

import org.jspecify.annotations.NullMarked;
