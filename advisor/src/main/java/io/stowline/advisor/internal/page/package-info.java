/**
 * The forms of a report: one page of HTML and one document of JSON. {@link io.stowline.advisor.AdviceReport} calls it. It reads the
 * report and calls no other room.
 */
@NullMarked
package io.stowline.advisor.internal.page;

import org.jspecify.annotations.NullMarked;
