/**
 * The helper of the exceptions: foreign text in a form for one line of a log. The exceptions use it, and so does each room that shows
 * text of other programs. It calls no other room.
 */
@NullMarked
package io.stowline.error.internal;

import org.jspecify.annotations.NullMarked;
