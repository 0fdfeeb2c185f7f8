/** The recorder of the fault proxy: requests, responses and their ends. The proxy writes it, and tests read it. */
@NullMarked
package io.stowline.testkit.internal.proxy.record;

import org.jspecify.annotations.NullMarked;
