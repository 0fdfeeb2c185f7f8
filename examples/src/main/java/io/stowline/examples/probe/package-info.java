/** The network probe: round trips, throughput and errors between this machine and an account, and what limits them. */
@NullMarked
package io.stowline.examples.probe;

import org.jspecify.annotations.NullMarked;
