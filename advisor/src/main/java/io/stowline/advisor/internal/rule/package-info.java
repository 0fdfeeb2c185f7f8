/**
 * The rules of the advisor: one pure function for each practice, from a snapshot of evidence and its thresholds to a judgement. The
 * advisor calls them when it makes a report. They call the evidence and the public types of the advisor.
 */
@NullMarked
package io.stowline.advisor.internal.rule;

import org.jspecify.annotations.NullMarked;
