/** The mechanics of the fault proxy: connections, rules and faults. The test kit's public classes call it. It calls the recorder. */
@NullMarked
package io.stowline.testkit.internal.proxy;

import org.jspecify.annotations.NullMarked;
