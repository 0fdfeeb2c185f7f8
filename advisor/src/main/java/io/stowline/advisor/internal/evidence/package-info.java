/**
 * Evidence of traffic: counters, sketches and histograms of the parts of a window, in bounded memory. The listener of an advisor adds
 * events, and its report takes a {@code Snapshot}. It calls the public types of the client and of the advisor only.
 */
@NullMarked
package io.stowline.advisor.internal.evidence;

import org.jspecify.annotations.NullMarked;
