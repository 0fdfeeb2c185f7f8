/** The partition stress test: how much one partition takes, and many, until the service throttles. */
@NullMarked
package io.stowline.examples.stress;

import org.jspecify.annotations.NullMarked;
