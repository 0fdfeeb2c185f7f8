/** The mechanics behind the test kit: processes, the cache folder, the health probe, messages. */
@NullMarked
package io.stowline.testkit.internal;

import org.jspecify.annotations.NullMarked;
