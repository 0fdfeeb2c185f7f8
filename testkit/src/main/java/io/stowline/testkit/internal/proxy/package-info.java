/** The mechanics of the fault proxy: connections, rules, faults and the recorder. */
@NullMarked
package io.stowline.testkit.internal.proxy;

import org.jspecify.annotations.NullMarked;
