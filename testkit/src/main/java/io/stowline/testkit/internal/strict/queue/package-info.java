/** The checks of queues: names, messages and their limits. The stage calls them. */
@NullMarked
package io.stowline.testkit.internal.strict.queue;

import org.jspecify.annotations.NullMarked;
