/** The recorder of the fault proxy: what came, how it was answered and how it ended. The proxy writes it, and tests read it. */
@NullMarked
package io.stowline.testkit.internal.proxy.record;

import org.jspecify.annotations.NullMarked;
