/** What a request costs the client: processor time and allocated bytes, beside the SDK alone. */
@NullMarked
package io.stowline.benchmarks.cost;

import org.jspecify.annotations.NullMarked;
