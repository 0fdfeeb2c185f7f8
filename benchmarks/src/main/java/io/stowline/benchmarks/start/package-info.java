/** Fresh processes that insert once: the processor time, the time, the memory and the classes of a start, beside the Azure SDK and a bare JVM. */
@NullMarked
package io.stowline.benchmarks.start;

import org.jspecify.annotations.NullMarked;
