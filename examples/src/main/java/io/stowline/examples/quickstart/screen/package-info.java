/** The screen of the quick start: lines that are redrawn on a terminal, plain ones elsewhere, and the progress on them. */
@NullMarked
package io.stowline.examples.quickstart.screen;

import org.jspecify.annotations.NullMarked;
