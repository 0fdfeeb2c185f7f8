/** A program that breaks the proven practices and its mended twin, with the advisor's report on each. */
@NullMarked
package io.stowline.examples.checkup;

import org.jspecify.annotations.NullMarked;
