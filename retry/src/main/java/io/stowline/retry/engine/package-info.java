/**
 * The retry engine: sends the attempts of one operation until one of them ends it, at the cost of a quota. Applications and {@code
 * stowline-client} use it. It calls the values of {@code io.stowline.retry} and the rate room.
 */
@NullMarked
package io.stowline.retry.engine;

import org.jspecify.annotations.NullMarked;
