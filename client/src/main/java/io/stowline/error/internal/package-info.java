/**
 * The helpers of exceptions and settings: foreign text in a form for one line of a log, and checks of ranges. Values of the API use them, and
 * so does each room that shows text of other programs. They call no other room.
 */
@NullMarked
package io.stowline.error.internal;

import org.jspecify.annotations.NullMarked;
