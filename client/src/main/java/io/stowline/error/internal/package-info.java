/**
 * The helpers of exceptions and settings: foreign text in a form for one line of a log, checks of ranges, and the table of statuses and error codes.
 * Values of the API use them, and so does each room that shows text of other programs or judges a response. They call no other room.
 */
@NullMarked
package io.stowline.error.internal;

import org.jspecify.annotations.NullMarked;
