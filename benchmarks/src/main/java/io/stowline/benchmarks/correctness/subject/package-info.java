/** The clients that are judged: Stowline and the Azure SDK, with the same operations. The workers call them. */
@NullMarked
package io.stowline.benchmarks.correctness.subject;

import org.jspecify.annotations.NullMarked;
